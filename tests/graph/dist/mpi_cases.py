"""Cases of DistGraph for all ranks of mpiexec: each is run by name, and rank 0 prints what came of all of them.

A case that ends well gives None; one that must fail, the sentences of all ranks.
"""

import json
import sys
import traceback
from itertools import pairwise
from pathlib import Path

import numpy as np
from mpi4py import MPI

import troth
from troth.graph.dist.exchange import Exchange
from troth.graph.dist.part import edge_ranges, even_ranges, split

FILES = Path(sys.argv[1])
SEED = 20261119
SPECS = [
    "rmat:9",
    "rmat:1",
    "urand:7:weights=unit",
    "sbp:8:dtype=float32",
    "bipartite:6",
    "bipartite:6:kind=layered",
    "rgg:9",
    "rgg:6:degree=1,weights=uniform",
    "kmer:11",
    "grid3d:5",
    "grid2d:9:weights=integer",
    "path:7",
    "path:0",
    "mycielskian:7",
    "mycielskian:1",
]
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def same_part(part, expected):
    for name in ("starts", "indptr", "indices", "weights", "ghosts"):
        found, wanted = getattr(part, name), getattr(expected, name)
        if wanted is None:
            assert found is None, name
        else:
            assert found.dtype == wanted.dtype, name
            np.testing.assert_array_equal(found, wanted, name)


def check(comm, graph, dist, balance, root=0):
    """The distributed graph is the serial one, divided as it must be."""
    even = balance == "vertices"
    starts = even_ranges(graph.n_vertices, comm.size) if even else edge_ranges(graph.indptr, comm.size)
    same_part(dist.part, list(split(graph, starts))[comm.rank])
    assert (dist.n_vertices, dist.n_edges) == (graph.n_vertices, graph.n_edges)
    gathered = dist.gather(root)
    if comm.rank == root:
        assert gathered == graph
        assert gathered.indices.dtype == graph.indices.dtype
    else:
        assert gathered is None


def spec_case(spec, balance):
    def run(comm):
        dist = troth.DistGraph.from_spec(spec, comm, seed=SEED, balance=balance)
        check(comm, troth.generate(spec, seed=SEED), dist, balance)

    return run


def file_case(name, balance):
    def run(comm):
        check(comm, troth.read(FILES / name), troth.DistGraph.from_file(FILES / name, comm, balance=balance), balance)

    return run


def bad_file_case(name):
    def run(comm):
        troth.DistGraph.from_file(FILES / name, comm)

    return run


for balance in ("vertices", "edges"):
    CASES.update({f"{spec} by {balance}": spec_case(spec, balance) for spec in SPECS})
    for path in sorted(FILES.iterdir()):
        if path.name.startswith("good"):
            CASES[f"{path.name} by {balance}"] = file_case(path.name, balance)
for path in sorted(FILES.iterdir()):
    if path.name.startswith("bad"):
        CASES[path.name] = bad_file_case(path.name)


@case
def threads_make_the_same(comm):
    for spec in ("rmat:10", "rgg:10"):
        check(comm, troth.generate(spec), troth.DistGraph.from_spec(spec, comm, threads=2), "vertices")


@case
def scatter_from_any_rank(comm):
    graph, root = troth.generate("rmat:8", seed=SEED), comm.size - 1
    for balance in ("vertices", "edges"):
        dist = troth.DistGraph.scatter(graph if comm.rank == root else None, comm, root=root, balance=balance)
        check(comm, graph, dist, balance, root)


@case
def scatter_of_nothing(comm):
    troth.DistGraph.scatter(None, comm)


@case
def no_vertices(comm):
    graph = troth.Graph(np.zeros(1, np.int64), np.zeros(0, np.int32))
    for balance in ("vertices", "edges"):
        check(comm, graph, troth.DistGraph.scatter(graph if comm.rank == 0 else None, comm, balance=balance), balance)
    check(comm, graph, troth.DistGraph.from_edges([], [], None, 0, comm), "vertices")


def shares(comm, graph, seed=SEED):
    """Each edge on a random rank, in a random direction, and some on several."""
    u, v, w = graph.edges()
    rng = np.random.default_rng(seed)
    turned = rng.random(u.size) < 0.5
    u, v = np.where(turned, v, u), np.where(turned, u, v)
    mine = (rng.integers(0, comm.size, u.size) == comm.rank) | (np.arange(u.size) % 7 == 0)
    order = np.random.default_rng(comm.rank).permutation(int(mine.sum()))
    return u[mine][order], v[mine][order], None if w is None else w[mine][order]


@case
def edges_anywhere(comm):
    for spec in ("rmat:8", "rgg:8:dtype=float32", "grid2d:9:weights=integer", "path:5:weights=unit"):
        graph = troth.generate(spec)
        for balance in ("vertices", "edges"):
            dist = troth.DistGraph.from_edges(*shares(comm, graph), graph.n_vertices, comm, balance=balance)
            check(comm, graph, dist, balance)


@case
def edges_of_one_rank_and_no_number_of_vertices(comm):
    graph = troth.generate("grid2d:6")
    none = np.zeros(0, np.int32)
    given = graph.edges() if comm.rank == comm.size - 1 else (none, none, None)
    check(comm, graph, troth.DistGraph.from_edges(*given, comm=comm), "vertices")


@case
def edges_summed_over_ranks(comm):
    graph = troth.generate("grid2d:6:weights=integer")
    u, v, w = graph.edges()
    dist = troth.DistGraph.from_edges(u, v, w, graph.n_vertices, comm, duplicates="sum")
    check(comm, troth.Graph(graph.indptr, graph.indices, graph.weights * comm.size), dist, "vertices")


@case
def own_rows_of_a_matrix(comm):
    graph = troth.generate("rmat:8", seed=SEED)
    cuts = np.sort(np.random.default_rng(SEED).integers(0, graph.n_vertices + 1, comm.size - 1))
    starts = np.concatenate(([0], cuts, [graph.n_vertices]))
    first, last = list(pairwise(starts.tolist()))[comm.rank]
    rows = graph.to_scipy()[first:last]
    rows = rows[:, ::-1].sorted_indices()  # Columns in descending order, and then named as they were.
    rows.indices = graph.n_vertices - 1 - rows.indices
    dist = troth.DistGraph.from_csr(rows.indptr, rows.indices, rows.data, comm)
    same_part(dist.part, list(split(graph, starts))[comm.rank])
    gathered = dist.gather()
    assert gathered == graph if comm.rank == 0 else gathered is None


@case
def messages_in_many_rounds(comm):
    rng = np.random.default_rng(comm.rank)
    counts = rng.integers(0, 9, comm.size)
    items = comm.rank * 1000 + np.repeat(np.arange(comm.size), counts) * 100 + np.arange(counts.sum())
    whole = Exchange(comm, counts).send(items)
    for limit in (8, 24, 1000):
        np.testing.assert_array_equal(Exchange(comm, counts, limit=limit).send(items), whole)
    senders = np.repeat(np.arange(comm.size), [int(c[comm.rank]) for c in comm.allgather(counts)])
    np.testing.assert_array_equal(whole // 1000, senders)
    np.testing.assert_array_equal(whole // 100 % 10, comm.rank)


def ring(comm):
    """The path 0 - 1 - ... with one edge more than there are ranks; rank r has row r, the last one two."""
    graph = troth.generate("path:6")
    starts = np.append(np.arange(comm.size), 64)
    first, last = starts[comm.rank], starts[comm.rank + 1]
    part = slice(graph.indptr[first], graph.indptr[last])
    indptr = graph.indptr[first : last + 1] - graph.indptr[first]
    return indptr, graph.indices[part].copy(), graph.weights[part].copy()


@case
def nan_on_the_last_rank(comm):
    indptr, indices, weights = ring(comm)
    if comm.rank == comm.size - 1:
        weights[-1] = np.nan
    troth.DistGraph.from_csr(indptr, indices, weights, comm)


@case
def nan_in_the_edges_of_the_last_rank(comm):
    weights = [1.0, np.nan if comm.rank == comm.size - 1 else 1.0]
    troth.DistGraph.from_edges([0, 1], [1, 2], weights, 3, comm)


@case
def one_way(comm):
    indptr, indices, weights = ring(comm)
    if comm.rank == comm.size - 1:
        indices[-1] = 0
    troth.DistGraph.from_csr(indptr, indices, weights, comm)


@case
def unequal(comm):
    indptr, indices, weights = ring(comm)
    if comm.rank == comm.size - 1:
        weights[-1] = 5
    troth.DistGraph.from_csr(indptr, indices, weights, comm)


@case
def a_column_out_of_range(comm):
    indptr, indices, weights = ring(comm)
    if comm.rank == comm.size - 1:
        indices[-1] = 64
    troth.DistGraph.from_csr(indptr, indices, weights, comm)


@case
def unequal_edges(comm):
    troth.DistGraph.from_edges([4, 2, 0], [2, 0, 1], [1.0, float(comm.rank), 1.0], 5, comm)


@case
def edges_given_twice(comm):
    troth.DistGraph.from_edges([4], [2], [1.0], 5, comm, duplicates="error")


@case
def each_direction_once(comm):
    graph = troth.generate("rmat:6", seed=SEED)
    u, v, w = graph.edges()
    none = np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0)
    there, back = comm.rank == 0, comm.rank == comm.size - 1
    ends = [(u, v, w) if there else none, (v, u, w) if back else none]
    given = [np.concatenate(arrays) for arrays in zip(*ends, strict=True)]
    check(comm, graph, troth.DistGraph.from_edges(*given, 64, comm, duplicates="error"), "vertices")


@case
def weights_of_two_types(comm):
    dtype = np.float32 if comm.rank == comm.size - 1 else np.float64
    troth.DistGraph.from_edges([4], [2], np.ones(1, dtype), 5, comm)


@case
def two_specs(comm):
    troth.DistGraph.from_spec(f"path:{3 if comm.rank == comm.size - 1 else 2}", comm)


@case
def no_such_balance(comm):
    troth.DistGraph.from_spec("path:3", comm, balance="vertex")


@case
def no_such_file(comm):
    troth.DistGraph.from_file("nowhere.mtx", comm)


@case
def a_loop(comm):
    troth.DistGraph.from_edges([3], [3], None, 5, comm)


def outcome(comm, function):
    """None, or the error of each rank."""
    try:
        function(comm)
    except (ValueError, OSError) as error:
        said = f"{type(error).__name__}: {error}"
    except Exception:
        said = traceback.format_exc()
    else:
        said = None
    everywhere = comm.allgather(said)
    return None if not any(everywhere) else everywhere


def main():
    comm = MPI.COMM_WORLD
    outcomes = {name: outcome(comm, function) for name, function in CASES.items()}
    if comm.rank == 0:
        print(json.dumps(outcomes))


main()
