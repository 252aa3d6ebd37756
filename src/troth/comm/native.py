"""MPI called from compiled code: the functions and handles of the library that mpi4py loaded, as integers.

A message of one record takes MPI less time than the interpreter needs to ask for it, so messages are sent and received
by kernels. They take one table of int64 words: addresses of MPI functions, handles (as MPI's C interface has them, of 4
or 8 bytes, sign-extended), and addresses of memory that MPI writes to. Any MPI that mpi4py runs on will do: functions
are found by name, and sizes and the places of a status' fields are asked of the library.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.comm.errors import load_mpi
from troth.kernels.calls import call
from troth.kernels.jit import compiled

# Words of the table.
ISEND, IPROBE, RECV, GET_COUNT, TESTALL, PUT = range(6)
COMM, WORD, WINDOW, ANY_SOURCE, ANY_TAG = range(6, 11)
RECORDS, REQUESTS, REQUEST_BYTES, STATUSES, STATUS, ANSWER, INBOX = range(11, 18)
WIDTH, LIMIT, CAPACITY, SLOTS, SOURCE_AT, TAG_AT = range(18, 24)
_WORDS = 24

_FUNCTIONS = ("MPI_Isend", "MPI_Iprobe", "MPI_Recv", "MPI_Get_count", "MPI_Testall", "MPI_Put")


@cache
def _addresses() -> list[int]:
    """Where the functions are: a library loaded for the extension module is searched with it."""
    library = ctypes.CDLL(load_mpi().__file__)
    return [ctypes.cast(library[name], ctypes.c_void_p).value or 0 for name in _FUNCTIONS]


def handle(thing: Any) -> int:
    """The C handle of an mpi4py object as a sign-extended word."""
    mpi = load_mpi()
    bits: int = 8 * mpi._sizeof(thing)
    value: int = mpi._handleof(thing) & (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


@cache
def _status_fields() -> tuple[int, int]:
    """The places of source and tag in a status, in C ints."""
    status = load_mpi().Status()
    mark = 0x5A17
    status.Set_source(mark)
    status.Set_tag(mark + 1)
    size = load_mpi()._sizeof(status)
    words = np.frombuffer(ctypes.string_at(load_mpi()._addressof(status), size), np.int32)
    return int(np.flatnonzero(words == mark)[0]), int(np.flatnonzero(words == mark + 1)[0])


class Native:
    """The table for one communicator and one buffer of records, and the memory it points to.

    Args:
        limit: records of a message.
        inbox: where received records go.
        slots: requests that can be open at once.
    Attributes:
        table: what kernels take.
        status: the last status, as C ints.
        answer: a C int that MPI writes to.
    """

    def __init__(
        self,
        comm: Any,
        records: NDArray[np.int64],
        *,
        limit: int,
        inbox: NDArray[np.int64] | None = None,
        slots: int = 0,
    ) -> None:
        mpi = load_mpi()
        status_bytes = mpi._sizeof(mpi.Status)
        self.table = np.zeros(_WORDS, np.int64)
        self.status = np.zeros(status_bytes // 4, np.int32)
        self.answer = np.zeros(2, np.int32)
        self._requests = np.zeros(slots * mpi._sizeof(mpi.Request), np.uint8)
        self._statuses = np.zeros(slots * status_bytes, np.uint8)
        self._buffers = records, inbox  # Kept while the table has their addresses.
        self.table[ISEND : PUT + 1] = _addresses()
        self.table[[COMM, WORD]] = handle(comm), handle(mpi.INT64_T)
        self.table[[ANY_SOURCE, ANY_TAG]] = mpi.ANY_SOURCE, mpi.ANY_TAG
        self.table[[SOURCE_AT, TAG_AT]] = _status_fields()
        self.table[REQUEST_BYTES] = mpi._sizeof(mpi.Request)
        self.table[[WIDTH, LIMIT, SLOTS]] = records.shape[1], limit, slots
        if inbox is not None:
            self.table[[INBOX, CAPACITY]] = inbox.ctypes.data, len(inbox)
        for place, array in (
            (RECORDS, records),
            (REQUESTS, self._requests),
            (STATUSES, self._statuses),
            (STATUS, self.status),
            (ANSWER, self.answer),
        ):
            self.table[place] = array.ctypes.data


def check(code: int) -> None:
    """Raise what an MPI function returned, if not success."""
    if code:
        raise load_mpi().Exception(code)


@compiled
def completed(table, answer, count):
    """Whether all of the first `count` requests are complete; then they are free again. Lets MPI make progress."""
    if count == 0:
        return True
    call(table[TESTALL], (count, table[REQUESTS], table[ANSWER], table[STATUSES]))
    return answer[0] != 0
