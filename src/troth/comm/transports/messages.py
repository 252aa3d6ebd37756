"""The messages of nsr: sends, probes and receives in kernels, and the state that they share on one rank.

A message is some whole records of one sender, or empty and the last one of its sender. Kernels return when there is
nothing more to do without waiting, so the interpreter runs once for a batch of messages and Ctrl-C is heard.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.comm.errors import load_mpi
from troth.comm.native import (
    ANSWER,
    ANY_TAG,
    CAPACITY,
    COMM,
    GET_COUNT,
    INBOX,
    IPROBE,
    ISEND,
    LIMIT,
    RECORDS,
    RECV,
    REQUEST_BYTES,
    REQUESTS,
    SLOTS,
    SOURCE_AT,
    STATUS,
    TAG_AT,
    WIDTH,
    WORD,
    Native,
    check,
    completed,
)
from troth.comm.transports.running import Run
from troth.kernels import team
from troth.kernels.calls import call
from troth.kernels.jit import compiled

LARGEST = 4096
"""Records of a message at most: larger ones are no faster, and the inbox must have room for one."""

_INBOX = 4 * LARGEST
_PROBES = 64
"""Questions in vain before a kernel returns. They take about as long as a turn of the interpreter, which a batch of one
record more is worth: a batch that ends with the first probe in vain makes a message cost 4.4 us, not 0.13."""

_SLOTS = 64
"""Open requests, unless there are many neighbours: more messages on the way than the cache holds cost twice as much."""

END, FAILED = 1, 2
_RECORDS_TAG = 0

_OPEN, _ENDED, _FAILED = range(3)  # Words of the state: open requests, neighbours that ended, those that failed.


class Messages:
    """The messages of one rank. To make and to free one is collective, everything else is local."""

    def __init__(self, comm: Any, run: Run, *, by_source: bool) -> None:
        self._mpi = load_mpi()
        self.comm = comm.Dup()
        self._run, self._neighbours = run, run.out.neighbours
        sources = self._neighbours if by_source else np.array([self._mpi.ANY_SOURCE], np.int64)
        limit = min(run.aggregate or LARGEST, LARGEST)
        self._inbox = np.empty((max(limit, min(_INBOX, len(run.out.records))), run.width), np.int64)
        slots = max(_SLOTS, 2 * self._neighbours.size)
        native = Native(self.comm, run.out.records, inbox=self._inbox, limit=limit, slots=slots)
        self._native = native  # Owns what the kernels' arguments point to.
        self._messages, self._state = np.zeros_like(run.out.filled), np.zeros(3, np.int64)
        self._last: list[Any] = []
        shared = native.table, native.answer
        self._sending = *shared, self._state, self._neighbours, run.out.starts, run.out.filled
        self._receiving = *shared, native.status, self._state, sources
        self._asking = shared
        team.compile_for(_send, (*self._sending, run.gone, self._messages))
        team.compile_for(_receive, self._receiving)
        team.compile_for(completed, (*self._asking, 0))

    @property
    def ended(self) -> bool:
        """Every neighbour has sent its last message, and it has come."""
        return bool(self._state[_ENDED] == self._neighbours.size)

    @property
    def failed(self) -> bool:
        """A neighbour has said so."""
        return bool(self._state[_FAILED])

    def send(self) -> None:
        """Send what waits, as far as there are free requests."""
        run = self._run
        if not run.waiting.any():
            return
        gone = run.gone.copy()
        self._messages[:] = 0
        check(_send(*self._sending, gone, self._messages))
        run.sent(gone - run.gone, self._messages)

    def receive(self) -> NDArray[np.int64]:
        """Records that have come, possibly none: valid until the next call."""
        count = _receive(*self._receiving)
        check(max(0, -count))
        return self._inbox[: max(0, count)]

    def complete(self) -> bool:
        """Whether all sends are complete; then the outbox is free for new records, if none waits in it."""
        if not completed(*self._asking, int(self._state[_OPEN])):
            return False
        self._state[_OPEN] = 0
        if not self._run.waiting.any():
            self._run.emptied()
        return bool(self._mpi.Request.Testall(self._last))

    def say(self, last: int) -> None:
        """Send the last message, END or FAILED, to every neighbour."""
        nothing = np.empty(0, np.int64)
        self._last = [self.comm.Isend(nothing, rank, last) for rank in self._neighbours.tolist()]

    def free(self) -> None:
        self.comm.Free()


@compiled
def _send(
    table,  # IN
    answer,  # OUT
    state,  # IN OUT
    neighbours,  # IN
    starts,  # IN      the outbox
    filled,  # IN
    gone,  # IN OUT    records of each neighbour that were sent
    messages,  # OUT   to each neighbour
):
    """Send all records, or as many as there are free requests for; returns an MPI error code, 0 for none."""
    width, comm, word, tag = table[WIDTH], table[COMM], table[WORD], _RECORDS_TAG
    for k in range(neighbours.shape[0]):
        while gone[k] < filled[k]:
            if state[_OPEN] == table[SLOTS]:
                tries = 0
                while not completed(table, answer, table[SLOTS]):
                    tries += 1
                    if tries == _PROBES:
                        return 0
                state[_OPEN] = 0
            rows = min(filled[k] - gone[k], table[LIMIT])
            begin = table[RECORDS] + (starts[k] + gone[k]) * width * 8
            request = table[REQUESTS] + state[_OPEN] * table[REQUEST_BYTES]
            code = call(table[ISEND], (begin, rows * width, word, neighbours[k], tag, comm, request))
            if code != 0:
                return code
            state[_OPEN] += 1
            gone[k] += rows
            messages[k] += 1
    return 0


@compiled
def _receive(
    table,  # IN
    answer,  # OUT
    status,  # OUT
    state,  # IN OUT
    sources,  # IN     ranks to probe, or any
):
    """Receive until nothing comes or the inbox is full; returns the number of records, or -(MPI error code)."""
    width, comm, word = table[WIDTH], table[COMM], table[WORD]
    rows, misses, k = 0, 0, 0
    while misses < _PROBES * sources.shape[0] and rows + table[LIMIT] <= table[CAPACITY]:
        code = call(table[IPROBE], (sources[k], table[ANY_TAG], comm, table[ANSWER], table[STATUS]))
        if code != 0:
            return -code
        if answer[0] == 0:
            misses += 1
            k = k + 1 if k + 1 < sources.shape[0] else 0
            continue
        misses = 0
        source, tag = status[table[SOURCE_AT]], status[table[TAG_AT]]
        call(table[GET_COUNT], (table[STATUS], word, table[ANSWER]))
        words = answer[0]
        begin = table[INBOX] + rows * width * 8
        code = call(table[RECV], (begin, words, word, source, tag, comm, table[STATUS]))
        if code != 0:
            return -code
        rows += words // width
        if tag != _RECORDS_TAG:
            state[_ENDED] += 1
            state[_FAILED] += tag == FAILED
    return rows
