"""Ledgers: what is entered adds up, in one ledger of all ranks and in one for each, and comes back from a file."""

import numpy as np
import pytest

from troth.comm.ledger import Ledger


@pytest.fixture
def ledger():
    ledger = Ledger(3)
    ledger.count(2, 0, 5, 120, sender=2)
    ledger.count(0, np.array([1, 2]), np.array([1, 4]), np.array([24, 96]), sender=0)
    ledger.count(2, np.array([2]), np.array([1]), np.array([48]), sender=0)
    return ledger


def test_matrices_are_indexed_by_sender_and_receiver(ledger):
    assert ledger.messages.tolist() == [[0, 1, 5], [0, 0, 0], [5, 0, 0]]
    assert ledger.bytes.tolist() == [[0, 24, 144], [0, 0, 0], [120, 0, 0]]


def test_rounds_without_messages_are_zero(ledger):
    assert ledger.round_messages == [5, 0, 6]
    assert ledger.round_bytes == [120, 0, 168]


def test_ledgers_of_each_rank_join_to_one_of_all(ledger):
    own = [Ledger(3, rank=rank) for rank in range(3)]
    own[0].count(0, np.array([1, 2]), np.array([1, 4]), np.array([24, 96]))
    own[0].count(2, 2, 1, 48)
    own[2].count(2, 0, 5, 120)
    assert own[2].messages.shape == (1, 3)
    joined = Ledger.join(own)
    for name in ("messages", "bytes", "round_messages", "round_bytes"):
        assert np.array_equal(getattr(joined, name), getattr(ledger, name)), name


def test_the_file_holds_the_matrices_and_the_rounds(ledger, tmp_path):
    path = tmp_path / "traffic.npz"
    ledger.to_npz(path)
    with np.load(path) as saved:
        assert sorted(saved) == ["bytes", "messages", "round_bytes", "round_messages"]
        assert saved["messages"].tolist() == ledger.messages.tolist()
        assert saved["round_bytes"].tolist() == ledger.round_bytes
    assert [entry.name for entry in tmp_path.iterdir()] == ["traffic.npz"]
