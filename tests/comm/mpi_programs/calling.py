"""MPI called from kernels, and from the same kernels as plain Python: rank 0 of 2 sends, rank 1 receives."""

import numpy as np

from troth.comm.errors import load_mpi
from troth.comm.native import Native, check, completed, handle
from troth.comm.transports import messages

MPI = load_mpi()
comm = MPI.COMM_WORLD
N, LIMIT, SLOTS, WIDTH = 50, 3, 4, 2


def exchange(send, receive, done):
    """Rank 0 sends N records to rank 1, and rank 1 as many to rank 0; returns what came and how."""
    records = np.arange(N * WIDTH).reshape(N, WIDTH) + 1000 * comm.rank
    inbox = np.zeros((2 * LIMIT, WIDTH), np.int64)
    native = Native(comm, records, limit=LIMIT, inbox=inbox, slots=SLOTS)
    shared = native.table, native.answer
    other = np.array([1 - comm.rank])
    sent, state, sizes = np.zeros(1, np.int64), np.zeros(3, np.int64), np.zeros(1, np.int64)
    came = []
    while sent[0] < N or sum(map(len, came)) < N:
        check(send(*shared, state, other, np.array([0, N]), np.array([N]), sent, sizes))
        assert state[0] <= SLOTS
        count = receive(*shared, native.status, state, np.array([MPI.ANY_SOURCE]))
        assert 0 <= count <= len(inbox)
        came.append(inbox[:count].copy())
    while not done(*shared, state[0]):
        pass
    comm.Barrier()
    return np.concatenate(came), int(sizes[0])


for kernels in (
    (messages._send, messages._receive, completed),
    (messages._send.py_func, messages._receive.py_func, completed.py_func),
):
    came, sizes = exchange(*kernels)
    np.testing.assert_array_equal(came, np.arange(N * WIDTH).reshape(N, WIDTH) + 1000 * (1 - comm.rank))
    assert sizes == -(-N // LIMIT)

# A handle leads to the same object.
copy = comm.Dup()
assert handle(copy) != handle(comm)
assert handle(MPI.Comm.fromhandle(MPI._handleof(comm))) == handle(comm)
copy.Free()

# What MPI refuses is an error, not a wrong result.
native = Native(comm, np.zeros((4, 1), np.int64), limit=1, slots=4)
nobody, one = np.array([comm.size + 7]), np.array([1])
state, sent, sizes = np.zeros(3, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64)
code = messages._send(native.table, native.answer, state, nobody, np.array([0, 1]), one, sent, sizes)
refused = None
try:
    check(code)
except MPI.Exception as error:
    refused = error.Get_error_class() == MPI.ERR_RANK
said = comm.gather(refused)  # ranks that print themselves may print into each other's lines
if comm.rank == 0:
    print(said)
