"""The virtual transport, driven by a program in plain Python that knows what it must receive."""

from collections import Counter

import numpy as np
import pytest

import troth
from troth.comm.ledger import Ledger
from troth.comm.virtual import run_virtual
from troth.graph.build import from_edges
from troth.graph.dist.part import even_ranges, split

SEED = 20261123


class Greetings:
    """Each rank greets each neighbour, once for every cross edge up to `most`; a greeting is answered `hops` times."""

    width = 3
    local_end = False

    def __init__(self, part, hops=1, most=3, bound=None):
        self.part, self.hops, self.most = part, hops, most
        self.records_per_cross_edge = hops + 1 if bound is None else bound
        self.heard, self.batches, self.sent = Counter(), [], Counter()
        self.missing = 0

    def say(self, out, k, number, hop):
        records, starts, filled = out.arrays
        records[starts[k] + filled[k]] = self.part.rank, number, hop
        filled[k] += 1
        self.sent[int(out.neighbours[k])] += 1

    def start(self, out):
        for k, edges in enumerate(self.part.cross_edges):
            for number in range(min(int(edges), self.most)):
                self.say(out, k, number, 0)

    def receive(self, inbox, out):
        self.batches.append(inbox[:, :2].tolist())
        for sender, number, hop in inbox.tolist():
            self.heard[sender, number, hop] += 1
            if hop < self.hops:
                self.say(out, self.part.neighbours.tolist().index(sender), number, hop + 1)

    def active(self):
        return self.missing


@pytest.fixture(scope="module")
def parts():
    graph = troth.generate("rmat:7:edge_factor=4")
    return list(split(graph, even_ranges(graph.n_vertices, 5)))


@pytest.fixture
def two_islands():
    """Ranks 0 and 1 share an edge; rank 2 has no neighbour."""
    graph = from_edges(np.array([0, 4]), np.array([2, 5]), n_vertices=6)
    return list(split(graph, even_ranges(6, 3)))


DELIVERIES = {
    "in order": {},
    "shuffled": {"shuffle": True, "seed": SEED},
    "delayed": {"delay": 0.6, "seed": SEED},
    "single records": {"split": 1},
    "all at once": {"shuffle": True, "delay": 0.3, "split": 2, "seed": SEED},
}


@pytest.mark.parametrize("how", DELIVERIES.values(), ids=DELIVERIES)
@pytest.mark.parametrize("hops", [0, 1, 4])
def test_every_record_comes_once_and_is_counted(parts, how, hops):
    programs = [Greetings(part, hops) for part in parts]
    ledger = Ledger(5)
    report = run_virtual(programs, parts, ledger=ledger, **how)
    expected = [
        Counter(
            {
                (int(other), number, hop): 1
                for other, edges in zip(part.neighbours, part.cross_edges, strict=True)
                for number in range(min(int(edges), 3))
                for hop in range(hops + 1)
            }
        )
        for part in parts
    ]
    assert [program.heard for program in programs] == expected
    sent = np.array([[program.sent[other] for other in range(5)] for program in programs])
    assert (ledger.bytes == sent * 24).all()
    assert report.records == sent.sum() == sum(map(len, expected))
    assert report.bytes == ledger.bytes.sum() == sum(ledger.round_bytes)
    assert report.messages == ledger.messages.sum() == sum(ledger.round_messages)
    assert report.rounds >= len(ledger.round_bytes)
    if "delay" not in how:
        assert report.rounds == len(ledger.round_bytes) == hops + 1


def test_messages_are_batches_or_pieces_of_them(parts):
    pairs = sum(part.neighbours.size for part in parts)
    whole = run_virtual([Greetings(part, 0) for part in parts], parts)
    assert (whole.messages, whole.rounds) == (pairs, 1)
    single = run_virtual([Greetings(part, 0) for part in parts], parts, split=1)
    assert single.messages == single.records == whole.records > pairs


@pytest.mark.parametrize("split_at", [1, 2, 5])
def test_no_batch_is_larger_than_split(parts, split_at):
    programs = [Greetings(part) for part in parts]
    run_virtual(programs, parts, split=split_at)
    assert max(len(batch) for program in programs for batch in program.batches) == split_at


def test_in_order_means_by_sender_and_shuffled_does_not(parts):
    def orders(**how):
        programs = [Greetings(part, 0) for part in parts]
        run_virtual(programs, parts, **how)
        return [program.batches for program in programs]

    assert all(batches == [sorted(batches[0])] for batches in orders())
    shuffled = orders(shuffle=True, seed=SEED)
    assert shuffled != orders()
    assert shuffled == orders(shuffle=True, seed=SEED)
    assert shuffled != orders(shuffle=True, seed=SEED + 1)


def test_delay_spreads_mail_over_rounds_and_gives_empty_batches(parts):
    programs = [Greetings(part, 0) for part in parts]
    report = run_virtual(programs, parts, delay=0.9, seed=SEED)
    assert report.rounds > 5
    assert any(batch == [] for program in programs for batch in program.batches)


def test_nobody_is_called_who_has_no_mail(two_islands):
    programs = [Greetings(part) for part in two_islands]
    report = run_virtual(programs, two_islands)
    assert (report.rounds, report.records) == (2, 4)
    assert [len(program.batches) for program in programs] == [2, 2, 0]


def test_who_still_waits_at_the_end_has_lost_a_record(parts):
    programs = [Greetings(part) for part in parts]
    programs[3].missing = 7
    with pytest.raises(RuntimeError, match="rank 3 still waits for 7 records"):
        run_virtual(programs, parts)


def test_more_records_than_the_bound_are_found(parts):
    programs = [Greetings(part, hops=2, most=10**6, bound=2) for part in parts]
    with pytest.raises(RuntimeError, match=r"rank \d sends more records than its program's bound"):
        run_virtual(programs, parts)


def test_a_bound_for_each_call_is_not_used_up(parts):
    programs = [Greetings(part, hops=6, bound=1) for part in parts]
    for program in programs:
        program.bound_is_per_call = True
    assert run_virtual(programs, parts).rounds == 7


@pytest.mark.parametrize(
    ("how", "sentence"),
    [({"delay": 1.0}, "delay is 1.0"), ({"delay": -0.1}, "delay is -0.1"), ({"split": 0}, "split is 0")],
)
def test_what_makes_no_sense_is_refused(parts, how, sentence):
    with pytest.raises(ValueError, match=sentence):
        run_virtual([Greetings(part) for part in parts], parts, **how)


def test_no_program_and_no_mail():
    assert run_virtual([], []).records == 0
