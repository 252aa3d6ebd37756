"""The virtual transport: any number of ranks in one process, and every message counted.

Rounds as in the neighbourhood collectives: what was pushed in one round is delivered in the next, a rank's mail all at
once. On request the mail is disturbed: its order shuffled, records held back at random for a round or more, batches cut
to pieces. A program must come to the same end whatever is done to it, short of losing a record; here that can be seen.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.comm.ledger import Ledger
from troth.comm.program import Outbox, Program
from troth.comm.report import Report
from troth.graph.dist.part import Part

_WORD_BYTES = 8


def run_virtual(
    programs: Sequence[Program],
    parts: Sequence[Part],
    *,
    seed: int | None = None,
    shuffle: bool = False,
    delay: float = 0.0,
    split: int | None = None,
    ledger: Ledger | None = None,
) -> Report:
    """Run the programs, one a rank, until no record is on its way.

    Args:
        programs, parts: of rank 0, 1, and so on.
        seed: of shuffle and delay.
        shuffle: deliver in random order of ranks and of each rank's records.
        delay: the probability that a record is held back for a round. A rank whose mail is all held back is given an
            empty batch.
        split: the most records in a batch; None for a rank's whole mail.
        ledger: takes note of every message, when given.

    Raises: RuntimeError when a rank sends more records than its program's bound, or still waits for one at the end.
    """
    if not 0.0 <= delay < 1.0:
        raise ValueError(f"delay is {delay}; it must be at least 0 and below 1")
    if split is not None and split < 1:
        raise ValueError(f"split is {split}; it must be at least 1, or None")
    office = _Office([Outbox(part.neighbours, part.cross_edges, p) for part, p in zip(parts, programs, strict=True)])
    office.split, office.ledger = split, ledger
    rng = np.random.default_rng(seed)
    began = time.perf_counter()
    for rank, program in enumerate(programs):
        office.run(rank, program.start)
    while office.posted:
        office.rounds += 1
        for rank, mail in office.deliveries(rng, shuffle, delay):
            receive = programs[rank].receive
            for first in range(0, max(len(mail), 1), split or max(len(mail), 1)):
                office.run(rank, receive, mail[first : first + split] if split else mail)
    for rank, program in enumerate(programs):
        if program.active():
            raise RuntimeError(f"rank {rank} still waits for {program.active()} records and none is on its way")
    other = time.perf_counter() - began - office.seconds
    return Report(
        "virtual", office.rounds, office.messages, office.records, office.bytes, office.seconds, max(other, 0.0)
    )


@dataclass
class _Office:
    """All outboxes, the mail on its way, and the counts."""

    outboxes: list[Outbox]
    split: int | None = None
    ledger: Ledger | None = None
    rounds: int = 0
    messages: int = 0
    records: int = 0
    bytes: int = 0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.posted: list[tuple[NDArray[Any], NDArray[np.int64]]] = []
        self.room = [np.diff(out.starts) for out in self.outboxes]
        # Radix sort needs 16 bits.
        self.number = np.uint16 if len(self.outboxes) <= 1 << 16 else np.int64

    def run(self, rank: int, step: Any, *mail: NDArray[np.int64]) -> None:
        """Let the rank take one step, and collect what it pushed."""
        out = self.outboxes[rank]
        began = time.perf_counter()
        step(*mail, out)
        self.seconds += time.perf_counter() - began
        if out.filled.any():
            self.collect(rank, out)

    def collect(self, rank: int, out: Outbox) -> None:
        busy = np.flatnonzero(out.filled)
        counts = out.filled[busy]
        room = self.room[rank]
        if (counts > room[busy]).any():
            raise RuntimeError(f"rank {rank} sends more records than its program's bound for each cross edge")
        if not out.bound_is_per_call:
            room[busy] -= counts
        n_records = int(counts.sum())
        ends = np.cumsum(counts)
        rows = np.repeat(out.starts[busy] - ends + counts, counts) + np.arange(n_records)
        self.posted.append((np.repeat(out.neighbours[busy].astype(self.number), counts), out.records[rows]))
        out.clear()
        messages = np.ones_like(counts) if self.split is None else -(-counts // self.split)
        n_bytes = counts * (out.records.shape[1] * _WORD_BYTES)
        self.messages += int(messages.sum())
        self.records += n_records
        self.bytes += int(n_bytes.sum())
        if self.ledger is not None:
            self.ledger.count(self.rounds, out.neighbours[busy], messages, n_bytes, sender=rank)

    def deliveries(self, rng: np.random.Generator, shuffle: bool, delay: float) -> list[tuple[int, NDArray[np.int64]]]:
        """The ranks that get mail in this round, each with its records."""
        to = np.concatenate([receivers for receivers, _ in self.posted])
        records = np.concatenate([batch for _, batch in self.posted])
        self.posted = []
        addressed = np.unique(to)
        if delay:
            late = rng.random(to.size) < delay
            if late.any():
                self.posted.append((to[late], records[late]))
            to, records = to[~late], records[~late]
        if shuffle:
            order = rng.permutation(to.size)
            to, records = to[order], records[order]
            addressed = rng.permutation(addressed)
        order = np.argsort(to, kind="stable")
        ends = np.cumsum(np.bincount(to, minlength=len(self.outboxes)))
        records = records[order]
        return [(int(rank), records[(ends[rank - 1] if rank else 0) : ends[rank]]) for rank in addressed]
