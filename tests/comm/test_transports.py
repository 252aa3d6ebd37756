"""Every transport under a real MPI: the results of a serial run, and counts that add up.

All cases of a number of ranks run in one job (mpi_programs/carry.py); the tests look at what it wrote.
"""

import importlib.util
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components, shortest_path

import troth
from troth.comm.transports import TRANSPORTS, find_transport
from troth.comm.transports.auto import pick
from troth.graph.dist.part import even_ranges

PROGRAMS = Path(__file__).parent / "mpi_programs"
RANKS = [1, 2, 3, 4]
CASES = [*(("rgg:7", aggregate) for aggregate in (None, 1, 5)), ("rgg:10", None), ("rmat:10", None), ("rmat:10", 64)]
CASES += [(case, 5) for case in ("short", "edgeless", "nothing", "pairs", "lopsided", "two worlds")]
MATCHINGS = ("locally-dominant", "suitor")


@cache
def toys():
    """The module of toy programs, which the jobs import by name."""
    spec = importlib.util.spec_from_file_location("toys", PROGRAMS / "toys.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module", params=RANKS)
def carried(request, mpiexec, tmp_path_factory):
    """The number of ranks, and what their job wrote."""
    file = tmp_path_factory.mktemp("carried") / "results.npz"
    mpiexec(request.param, "carry", file, timeout=120)
    with np.load(file) as results:
        return request.param, dict(results)


@cache
def graph_of(case, n_ranks):
    if ":" in case:
        graph = troth.generate(case)
        return graph, even_ranges(graph.n_vertices, n_ranks)
    return toys().awkward(n_ranks)[case]


@cache
def expected(case, n_ranks, program):
    """What one process finds."""
    graph, starts = graph_of(case, n_ranks)
    if program in MATCHINGS:
        return troth.max_weight_matching(graph, algorithm="greedy").mate
    if program == "components":
        labels = connected_components(graph.to_scipy(), directed=False)[1]
        return np.unique(labels, return_index=True)[1][labels]
    if program == "bfs":
        return smallest_parents(graph)
    return walk(graph, starts, 3 if program == "walkers" else 0)


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize(("case", "aggregate"), CASES)
def test_results_are_those_of_one_process(carried, case, transport, aggregate):
    n_ranks, results = carried
    programs = [key.split("|")[1] for key in results if re.fullmatch(rf"{case}\|[^|]*\|{transport}\|{aggregate}", key)]
    assert len(programs) == (4 if case.endswith(":10") else 7 if case == "rgg:7" and aggregate != 1 else 3)
    for program in programs:
        found = results[f"{case}|{program}|{transport}|{aggregate}"]
        np.testing.assert_array_equal(found, expected(case, n_ranks, program), program)


def smallest_parents(graph):
    """For each vertex its smallest neighbour one level up, by levels that SciPy finds."""
    levels = shortest_path(graph.to_scipy(), unweighted=True, indices=0)
    parents = np.full(graph.n_vertices, -1)
    parents[0] = 0
    for v in np.flatnonzero(np.isfinite(levels) & (levels > 0)).tolist():
        row = graph.indices[graph.indptr[v] : graph.indptr[v + 1]]
        parents[v] = row[levels[row] == levels[v] - 1].min()
    return parents


def walk(graph, starts, steps):
    """How often each vertex is visited, one walker after the other."""
    owner = np.searchsorted(starts, np.arange(graph.n_vertices), side="right") - 1
    crossings = [
        [w for w in graph.indices[graph.indptr[v] : graph.indptr[v + 1]].tolist() if owner[w] != owner[v]]
        for v in range(graph.n_vertices)
    ]
    visits = np.zeros(graph.n_vertices, np.int64)
    for v in range(graph.n_vertices):
        for at in crossings[v]:
            visits[at] += 1
            for left in range(steps, 0, -1):
                at = crossings[at][left % len(crossings[at])]
                visits[at] += 1
    return visits


def test_counts_add_up(carried):
    n_ranks, results = carried
    checked = 0
    for key, row in results.items():
        if not key.endswith("|counts"):
            continue
        program = key.split("|")[1]
        messages, *more_messages, n_bytes, one, two, records, width, pushed, came, crossings, to_self, timed = (
            row.tolist()
        )
        assert more_messages == [messages, messages], key
        assert n_bytes == one == two == records * width, key
        assert to_self == 0, key
        assert timed, key
        aggregate = key.split("|")[3]
        if aggregate != "None":
            assert records <= messages * int(aggregate), key
        if aggregate == "1":
            assert messages == records, key
        if program in ("walkers", "farewell", "expecting"):
            assert pushed == came == records == crossings * (4 if program == "walkers" else 1), key
        if program in MATCHINGS:
            assert records <= 2 * crossings, key
        assert (n_ranks > 1) or records == 0, key
        checked += 1
    assert checked == 8 * (2 * 7 + 3 + 3 * 4 + 6 * 3)


@pytest.mark.parametrize(
    ("ranks", "most", "links", "records", "name"),
    [
        (1, 0, 0, 0, "ncl"),
        (4, 3, 12, 10_000, "ncl"),
        (512, 58, 3572, 10**7, "ncl"),  # cage15 in the paper, where ncl was the fastest
        (1024, 1023, 1024 * 1023, 5 * 10**8, "nsr"),  # stochastic block partition
        (1024, 900, 1024 * 500, 10**8, "rma"),
        (128, 127, 128 * 127, 10**6, "rma"),
    ],
)
def test_auto_follows_the_paper(ranks, most, links, records, name):
    chosen, why = pick(ranks, most, links, records)
    assert chosen == name
    assert why.startswith(f"{name}: ")


def test_an_unknown_transport_is_named():
    with pytest.raises(ValueError, match="unknown transport 'nlc': did you mean 'ncl'"):
        find_transport("nlc")
