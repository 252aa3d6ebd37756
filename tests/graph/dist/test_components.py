"""Connected components as a program, against SciPy: any ranks, any order, delays, single records."""

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

import troth
from troth.comm.virtual import run_virtual
from troth.graph.dist.components import Components
from troth.graph.dist.part import edge_ranges, even_ranges, split

SEED = 20261119
SPECS = ["rmat:8:edge_factor=2", "rgg:9:degree=3", "kmer:9", "path:7", "urand:8:edge_factor=1", "grid2d:9", "path:0"]
DELIVERIES = {
    "plain": {},
    "shuffled": {"shuffle": True, "seed": SEED},
    "delayed": {"shuffle": True, "delay": 0.6, "seed": SEED},
    "single": {"split": 1},
    "worst": {"shuffle": True, "delay": 0.4, "split": 1, "seed": SEED},
}


def smallest_members(graph):
    _, kind = connected_components(graph.to_scipy(), directed=False)
    _, first = np.unique(kind, return_index=True)
    return first[kind]


@pytest.mark.parametrize("delivery", DELIVERIES)
@pytest.mark.parametrize("n_ranks", [1, 2, 3, 64])
@pytest.mark.parametrize("spec", SPECS)
def test_labels_are_the_smallest_members(spec, n_ranks, delivery):
    graph = troth.generate(spec, seed=SEED)
    for starts in (even_ranges(graph.n_vertices, n_ranks), edge_ranges(graph.indptr, n_ranks)):
        parts = list(split(graph, starts))
        programs = [Components(part) for part in parts]
        run_virtual(programs, parts, **DELIVERIES[delivery])
        np.testing.assert_array_equal(np.concatenate([p.labels() for p in programs]), smallest_members(graph))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_agree(threads):
    graph = troth.generate("kmer:17", seed=SEED)
    parts = list(split(graph, even_ranges(graph.n_vertices, 3)))
    programs = [Components(part, threads) for part in parts]
    run_virtual(programs, parts)
    np.testing.assert_array_equal(np.concatenate([p.labels() for p in programs]), smallest_members(graph))
