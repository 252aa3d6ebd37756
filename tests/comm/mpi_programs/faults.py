"""Things that end a job: faults.py KIND. All other ranks wait, in MPI or in a transport."""

import os
import signal
import sys
import time

from toys import Walkers, path

from troth.comm.errors import agree, load_mpi
from troth.comm.transports import TRANSPORTS
from troth.graph.dist.part import even_ranges, split

comm = load_mpi().COMM_WORLD
kind = sys.argv[1]
comm.Barrier()
if kind == "raise" and comm.rank == 1:
    raise ValueError("row 7 of part 1 is bad")
if kind == "kill" and comm.rank == 1:
    os.kill(os.getpid(), signal.SIGKILL)
if kind == "agreed":
    agree(comm, ValueError("row 7 is bad") if comm.rank == 1 else None)
if kind == "split":
    half = comm.Split(comm.rank // 2)
    if comm.rank // 2 == 1 or comm.size == 2:
        agree(half, ValueError("row 7 is bad"))
if kind in TRANSPORTS:
    part = list(split(path(40), even_ranges(40, comm.size)))[comm.rank]

    class Doomed(Walkers):
        def receive(self, inbox, out):
            if comm.rank == 1:
                os.kill(os.getpid(), signal.SIGKILL)
            super().receive(inbox, out)

    TRANSPORTS[kind].run(Doomed(part), part, comm)
comm.Barrier()
time.sleep(60)
