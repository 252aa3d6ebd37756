"""Run under mpiexec by test_match.py: every rank asserts, or says how it was refused."""

import sys

import numpy as np
from mpi4py import MPI

import troth
from troth.comm.ledger import Ledger
from troth.graph.dist.distgraph import DistGraph
from troth.matching.distributed import PROGRAMS, match_distributed

COMM = MPI.COMM_WORLD


def results(spec):
    graph = DistGraph.from_spec(spec, COMM)
    whole = troth.generate(spec)
    for algorithm in PROGRAMS:
        for tie_break in ("hash", "id"):
            expected = troth.max_weight_matching(whole, tie_break=tie_break)
            ledger, heard = Ledger(COMM.size, rank=COMM.rank), []
            matching = troth.max_weight_matching(
                graph, algorithm=algorithm, transport="ncl", tie_break=tie_break, threads=2, gather=COMM.size % 2 == 0,
                ledger=ledger, progress=heard.append,
            )  # fmt: skip
            own = slice(*graph.part.starts[COMM.rank : COMM.rank + 2])
            assert np.array_equal(matching.mate, expected.mate[own])
            assert matching.cardinality == len(matching) == expected.cardinality
            assert abs(matching.weight - expected.weight) <= 1e-12 * expected.weight
            if whole.weights.dtype.kind != "f":
                assert matching.weight == expected.weight
            assert COMM.allgather(matching.weight) == [matching.weight] * COMM.size
            assert (matching.all_mates is not None) == (COMM.rank == 0 and COMM.size % 2 == 0)
            gathered = matching.gather(COMM.size - 1)
            assert (gathered is not None) == (COMM.rank == COMM.size - 1)
            for mates in (gathered, matching.all_mates):
                assert mates is None or np.array_equal(mates, expected.mate)
            assert ledger.bytes.sum() == matching.report.bytes
            assert [progress.done for progress in heard] == list(range(1, len(heard) + 1))
            assert len(heard) == matching.report.rounds


def refused(**options):
    try:
        match_distributed(DistGraph.from_spec("rmat:6", COMM), **options)
    except ValueError as error:
        return COMM.gather(str(error))
    raise AssertionError(f"{options} went well on rank {COMM.rank}")


CASES = {
    "floats": lambda: results("rgg:8"),
    "integers": lambda: results("rmat:8:weights=integer,max_weight=9"),
    "algorithms differ": lambda: refused(algorithm=list(PROGRAMS)[COMM.rank % 2]),
    "tie breaks differ": lambda: refused(tie_break=("hash", "id")[COMM.rank % 2]),
    "unknown transport": lambda: refused(transport="nlc"),
    "threads of one rank": lambda: refused(transport="ncl", threads=COMM.rank),
}
said = CASES[sys.argv[1]]()
if COMM.rank == 0:
    print(*(said or ["equal"]), sep="\n")
