"""Run every program under every transport; rank 0 writes all results to an archive: carry.py FILE.npz"""

import sys

import numpy as np
from toys import Expecting, Farewell, Walkers, awkward

import troth
from troth.comm.errors import load_mpi
from troth.comm.ledger import Ledger
from troth.comm.transports import TRANSPORTS
from troth.graph.dist.components import Components
from troth.graph.dist.part import even_ranges, split
from troth.matching.distributed.locally_dominant import LocallyDominant
from troth.matching.distributed.suitor import Suitor
from troth.traversal.distributed import Bfs

comm = load_mpi().COMM_WORLD
PROGRAMS = {
    "walkers": (Walkers, lambda program: program.visits),
    "farewell": (Farewell, lambda program: program.visits),
    "expecting": (Expecting, lambda program: program.visits),
    "locally-dominant": (LocallyDominant, LocallyDominant.mates),
    "suitor": (Suitor, Suitor.mates),
    "components": (Components, Components.labels),
    "bfs": (lambda part: Bfs(part, 0), Bfs.parents),
}
results = {}


def carry(case, names, graph, starts, transport, aggregate):
    part = list(split(graph, starts))[comm.rank]
    for name in names:
        make, result = PROGRAMS[name]
        program = make(part)
        ledger = Ledger(comm.size, rank=comm.rank)
        seen = []
        report = TRANSPORTS[transport].run(program, part, comm, aggregate=aggregate, ledger=ledger, watch=seen.append)
        counted = getattr(program, "pushed", -1), getattr(program, "came", -1), part.cross_edges.sum()
        told = comm.gather((np.asarray(result(program), np.int64), ledger, report, counted))
        assert seen == list(range(1, len(seen) + 1))
        assert report.transport == transport or report.why.startswith(report.transport)
        if comm.rank == 0:
            key = f"{case}|{name}|{transport}|{aggregate}"
            shares, ledgers, reports, counts = zip(*told, strict=True)
            joined = Ledger.join(ledgers)
            results[key] = np.concatenate(shares)
            results[f"{key}|counts"] = np.array(
                [
                    sum(one.messages for one in reports), joined.messages.sum(), sum(joined.round_messages),
                    sum(one.bytes for one in reports), joined.bytes.sum(), sum(joined.round_bytes),
                    sum(one.records for one in reports), program.width * 8,
                    sum(one[0] for one in counts), sum(one[1] for one in counts), sum(one[2] for one in counts),
                    joined.messages.trace(), min(min(one.seconds_compute, one.seconds_comm) for one in reports) >= 0,
                ]
            )  # fmt: skip


def even(spec):
    graph = troth.generate(spec)
    return graph, even_ranges(graph.n_vertices, comm.size)


for transport in TRANSPORTS:
    for aggregate in (None, 5):
        carry("rgg:7", PROGRAMS, *even("rgg:7"), transport, aggregate)
    carry("rgg:7", ("farewell", "suitor", "bfs"), *even("rgg:7"), transport, 1)
    for spec, aggregate in (("rgg:10", None), ("rmat:10", None), ("rmat:10", 64)):
        carry(spec, ("locally-dominant", "suitor", "components", "bfs"), *even(spec), transport, aggregate)
    for case, (graph, starts) in awkward(comm.size).items():
        carry(case, ("walkers", "expecting", "suitor"), graph, starts, transport, 5)
if comm.rank == 0:
    np.savez(sys.argv[1], **results)
