"""Grids and paths, against NetworkX and against all pairs of points."""

from itertools import product

import networkx as nx
import numpy as np
import pytest

import troth


def adjacency(graph):
    return np.split(graph.indices, graph.indptr[1:-1])


def expected_rows(side, dimensions, joined):
    """Rows by looking at all pairs of points, the first coordinate running fastest."""
    points = [point[::-1] for point in product(range(side), repeat=dimensions)]
    steps = [[[abs(a - b) for a, b in zip(p, q, strict=True)] for q in points] for p in points]
    return [[k for k, step in enumerate(row) if joined(step)] for row in steps]


@pytest.mark.parametrize("side", [1, 2, 3, 5])
@pytest.mark.parametrize(
    ("family", "stencil", "dimensions", "joined"),
    [
        ("grid2d", 5, 2, lambda step: sum(step) == 1),
        ("grid2d", 9, 2, lambda step: max(step) == 1),
        ("grid3d", 7, 3, lambda step: sum(step) == 1),
        ("grid3d", 27, 3, lambda step: max(step) == 1),
    ],
)
def test_grids(family, stencil, dimensions, joined, side):
    graph = troth.generate(f"{family}:{side}:stencil={stencil}")
    assert [row.tolist() for row in adjacency(graph)] == expected_rows(side, dimensions, joined)


def test_default_stencils():
    assert troth.generate("grid2d:4") == troth.generate("grid2d:4:stencil=5")
    assert troth.generate("grid3d:4") == troth.generate("grid3d:4:stencil=27")


def test_a_grid_larger_than_a_chunk_is_that_of_networkx():
    graph = troth.generate("grid2d:80", threads=2)
    expected = nx.to_scipy_sparse_array(nx.grid_2d_graph(80, 80), format="csr")
    np.testing.assert_array_equal(graph.indptr, expected.indptr)
    np.testing.assert_array_equal(graph.indices, expected.indices)


@pytest.mark.parametrize("number", [0, 1, 5])
def test_path(number):
    u, v, _ = troth.generate(f"path:{number}").edges()
    n = 1 << number
    assert (u.tolist(), v.tolist()) == (list(range(n - 1)), list(range(1, n)))
