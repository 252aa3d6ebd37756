"""Ledger: who sent how much to whom, and how much went in each round. A transport that is given none keeps none."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.formats.atomic import atomic_path


class Ledger:
    """Messages and bytes for each sender and receiver, and for each round.

    Attributes:
        messages, bytes: int64 matrices, a row for each sender and a column for each receiver. A ledger that one rank
            keeps of itself has its own row alone; `join` puts the rows of all ranks together.
        round_messages, round_bytes: totals of each round; asynchronous transports enter all in round 0.
    """

    def __init__(self, n_ranks: int, *, rank: int | None = None) -> None:
        rows = n_ranks if rank is None else 1
        self.first = 0 if rank is None else rank
        self.messages = np.zeros((rows, n_ranks), np.int64)
        self.bytes = np.zeros((rows, n_ranks), np.int64)
        self.round_messages: list[int] = []
        self.round_bytes: list[int] = []

    def count(self, number: int, receivers: Any, messages: Any, n_bytes: Any, *, sender: int | None = None) -> None:
        """Enter what was sent in the round of this number to one receiver, or to several distinct ones (arrays).

        The sender is the rank whose ledger this is; a ledger of all ranks must be told.
        """
        row = 0 if sender is None else sender - self.first
        self.messages[row, receivers] += messages
        self.bytes[row, receivers] += n_bytes
        while len(self.round_messages) <= number:
            self.round_messages.append(0)
            self.round_bytes.append(0)
        self.round_messages[number] += int(np.sum(messages))
        self.round_bytes[number] += int(np.sum(n_bytes))

    @classmethod
    def join(cls, ledgers: Sequence[Ledger]) -> Ledger:
        """One ledger from those that the ranks kept of themselves, in order of rank."""
        joined = cls(len(ledgers))
        joined.messages[:] = np.concatenate([ledger.messages for ledger in ledgers])
        joined.bytes[:] = np.concatenate([ledger.bytes for ledger in ledgers])
        joined.round_messages = _sums([ledger.round_messages for ledger in ledgers])
        joined.round_bytes = _sums([ledger.round_bytes for ledger in ledgers])
        return joined

    def to_npz(self, path: str | os.PathLike[str]) -> None:
        """Save messages, bytes, round_messages and round_bytes as one NumPy archive."""
        arrays: dict[str, NDArray[np.int64]] = {
            "messages": self.messages,
            "bytes": self.bytes,
            "round_messages": np.array(self.round_messages, np.int64),
            "round_bytes": np.array(self.round_bytes, np.int64),
        }
        with atomic_path(path) as temporary, open(temporary, "wb") as file:
            np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


def _sums(lists: list[list[int]]) -> list[int]:
    """Sums by position, of lists that may differ in length."""
    total = np.zeros(max(map(len, lists), default=0), np.int64)
    for numbers in lists:
        total[: len(numbers)] += np.array(numbers, np.int64)
    return [int(number) for number in total]
