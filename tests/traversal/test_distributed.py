"""Breadth-first search as a program, against SciPy: any ranks, any order, delays, single records."""

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

import troth
from troth.comm.program import Outbox
from troth.comm.virtual import run_virtual
from troth.graph.dist.part import edge_ranges, even_ranges, split
from troth.traversal.distributed import Bfs

SEED = 20261119
SPECS = ["rmat:8:edge_factor=2", "rgg:9:degree=4", "kmer:9", "path:7", "urand:8:edge_factor=1", "grid2d:9", "path:0"]
DELIVERIES = {
    "plain": {},
    "shuffled": {"shuffle": True, "seed": SEED},
    "delayed": {"shuffle": True, "delay": 0.6, "seed": SEED},
    "single": {"split": 1},
    "worst": {"shuffle": True, "delay": 0.4, "split": 1, "seed": SEED},
}


def levels_and_parents(graph, source):
    """By SciPy's distances; parents are the smallest neighbours one step nearer."""
    steps = shortest_path(graph.to_scipy(), unweighted=True, indices=source, directed=False)
    levels = np.where(np.isinf(steps), -1, steps).astype(np.int64)
    rows = np.repeat(np.arange(graph.n_vertices), graph.degrees)
    nearer = (levels[graph.indices] == levels[rows] - 1) & (levels[rows] > 0)
    parents = np.full(graph.n_vertices, graph.n_vertices)
    np.minimum.at(parents, rows[nearer], graph.indices[nearer])
    parents[parents == graph.n_vertices] = -1
    parents[source] = source
    return levels, parents


@pytest.mark.parametrize("delivery", DELIVERIES)
@pytest.mark.parametrize("n_ranks", [1, 2, 3, 64])
@pytest.mark.parametrize("spec", SPECS)
def test_levels_and_parents(spec, n_ranks, delivery):
    graph = troth.generate(spec, seed=SEED)
    for source in {0, graph.n_vertices // 3, graph.n_vertices - 1}:
        levels, parents = levels_and_parents(graph, source)
        for starts in (even_ranges(graph.n_vertices, n_ranks), edge_ranges(graph.indptr, n_ranks)):
            parts = list(split(graph, starts))
            programs = [Bfs(part, source) for part in parts]
            run_virtual(programs, parts, **DELIVERIES[delivery])
            np.testing.assert_array_equal(np.concatenate([p.levels() for p in programs]), levels)
            np.testing.assert_array_equal(np.concatenate([p.parents() for p in programs]), parents)


def test_a_call_sends_a_ghost_one_record_at_most():
    graph = troth.generate("urand:7:edge_factor=8", seed=SEED)
    part = next(split(graph, even_ranges(graph.n_vertices, 2)))
    program, rng = Bfs(part, graph.n_vertices - 1), np.random.default_rng(SEED)
    out = Outbox(part.neighbours, part.cross_edges, program)
    program.start(out)
    assert out.filled.tolist() == [0]
    sent = 0
    for _ in range(40):
        offers = rng.integers(0, 30, (10, 3))
        offers[:, 0] = rng.integers(0, part.n_own, 10)
        program.receive(offers, out)
        rows = out.batch(0)[:, 0]
        assert np.unique(rows).size == rows.size
        sent += rows.size
        out.clear()
    assert sent > part.ghosts.size


@pytest.mark.parametrize("source", [-1, 8])
def test_a_source_that_is_no_vertex(source):
    graph = troth.generate("path:3")
    with pytest.raises(ValueError, match="the 8 vertices are numbered from 0"):
        Bfs(next(split(graph, even_ranges(8, 2))), source)
