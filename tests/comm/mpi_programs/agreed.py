"""Errors that all ranks must raise alike, on 3 ranks. Prints a JSON line: what each rank raised, by case."""

import json
from contextlib import contextmanager
from pathlib import Path

from toys import Expecting, Greedy, Relay, Walkers, path

from troth.comm.errors import agree, guard, load_mpi, same_everywhere
from troth.comm.transports import TRANSPORTS, find_transport
from troth.graph.dist.part import even_ranges, split

comm = load_mpi().COMM_WORLD
raised = {}


@contextmanager
def case(name):
    try:
        yield
        told = "nothing"
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
    everywhere = comm.gather(told)
    if comm.rank == 0:
        raised[name] = everywhere


def part_of(graph):
    return list(split(graph, even_ranges(graph.n_vertices, comm.size)))[comm.rank]


here = part_of(path(40))
with case("agree: none"):
    agree(comm, None)
with case("agree: two"):
    agree(comm, [None, ValueError("row 7 is bad"), KeyError("no")][comm.rank])
with case("agree: other"):
    agree(comm, KeyError("lost") if comm.rank == 2 else None)
with case("guard: file"), guard(comm):
    if comm.rank == 1:
        Path("/no/such/file").read_bytes()
with case("guard: memory"), guard(comm):
    if comm.rank == 2:
        raise MemoryError
with case("guard: unicode"), guard(comm):
    if comm.rank == 0:
        b"\xff".decode()
with case("same: yes"):
    same_everywhere(comm, transport="ncl", seed=3)
with case("same: no"):
    same_everywhere(comm, transport="ncl", seed=3 if comm.rank < 2 else 4)
with case("run: transports"):
    find_transport(["ncl", "ncl", "rma"][comm.rank]).run(Walkers(here), here, comm)
with case("run: aggregates"):
    find_transport("ncl").run(Walkers(here), here, comm, aggregate=[1, 2, 1][comm.rank])
with case("run: programs"):
    find_transport("ncl").run((Expecting if comm.rank else Walkers)(here), here, comm)
with case("run: graphs"):
    other = part_of(path(40 + comm.rank // 2))
    find_transport("nsr").run(Walkers(other), other, comm)
with case("run: parts"):
    strange = list(split(path(40), even_ranges(40, comm.size)))[min(comm.rank, 1)]
    find_transport("nsr").run(Walkers(strange), strange, comm)
with case("run: ranks"):
    strange = next(iter(split(path(40), even_ranges(40, comm.size + 1))))
    find_transport("rma").run(Walkers(strange), strange, comm)
for number in (0, -1, 1.5, True):
    with case(f"aggregate: {number}"):
        find_transport("nsr").run(Walkers(here), here, comm, aggregate=number)

for name, transport in TRANSPORTS.items():
    for kind in (Walkers, Expecting):
        program = kind(here)
        program.failing_call = 1 if comm.rank == 1 else None
        with case(f"{name}: {kind.__name__} fails"):
            transport.run(program, here, comm)
    with case(f"{name}: watch fails"):
        transport.run(Walkers(here), here, comm, watch=lambda n: 1 // 0 if comm.rank == 2 else None)
    with case(f"{name}: greedy"):
        transport.run(Greedy(here, comm.rank == 0), here, comm)
    # Who waits for a rank that waits for the one that failed must hear of it too.
    with case(f"{name}: relay fails"):
        transport.run(Relay(here, comm.rank == 0), here, comm)
    with case(f"{name}: relay"):
        transport.run(Relay(here, False), here, comm)
    waiting = Expecting(here)
    waiting.came = -5 if comm.rank == 1 else 0
    with case(f"{name}: waits"):
        transport.run(waiting, here, comm)
    # What went wrong before leaves no message behind.
    with case(f"{name}: well"):
        good = Walkers(here)
        transport.run(good, here, comm)
        assert comm.allreduce(good.pushed) == comm.allreduce(good.came) > 0
if comm.rank == 0:
    print(json.dumps(raised))
