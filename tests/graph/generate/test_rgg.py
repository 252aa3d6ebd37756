"""Random geometric graphs: all pairs by brute force, strips, and the blocks that touch two others."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import troth
from troth.graph.generate.rgg import n_strips, points, radius
from troth.graph.generate.spec import parse

SEED = 20261119


@pytest.mark.parametrize("options", ["", ":degree=3", ":degree=40", ":degree=300,dtype=float32"])
@pytest.mark.parametrize("number", [0, 1, 4, 8, 10])
def test_edges_are_the_near_pairs_and_weights_their_distances(number, options):
    spec = f"rgg:{number}{options}"
    request = parse(spec, seed=SEED)
    x, y = points(request)
    distances = cdist(np.column_stack((x, y)), np.column_stack((x, y)))
    np.fill_diagonal(distances, np.inf)
    rows, columns = np.nonzero(distances < radius(request))
    graph = troth.generate(spec, seed=SEED)
    np.testing.assert_array_equal(np.repeat(np.arange(graph.n_vertices), graph.degrees), rows)
    np.testing.assert_array_equal(graph.indices, columns)
    np.testing.assert_allclose(graph.weights, distances[rows, columns], rtol=1e-6)
    assert graph.weights.dtype == request.options["dtype"]


@pytest.mark.parametrize(("number", "degree"), [(14, 2), (14, 16), (14, 50), (12, 400), (12, 2000)])
def test_mean_degree(number, degree):
    assert troth.generate(f"rgg:{number}:degree={degree}").degrees.mean() == pytest.approx(degree, rel=0.05)


def test_points_lie_in_strips_sorted_and_uniform():
    request = parse("rgg:14", seed=SEED)
    n, strips, (x, y) = 1 << 14, n_strips(radius(request)), points(request)
    assert 1 / strips >= radius(request)
    starts = [strip * n // strips for strip in range(strips + 1)]
    for strip, (first, last) in enumerate(pairwise(starts)):
        assert (x[first:last] >= strip / strips).all()
        assert (x[first:last] < (strip + 1) / strips).all()
        assert (np.diff(y[first:last]) > 0).all()
    cells, _, _ = np.histogram2d(x, y, bins=16, range=((0, 1), (0, 1)))
    assert abs(cells - n / 256).max() < 6 * (n / 256) ** 0.5
    within = x * strips % 1
    assert abs(np.corrcoef(within, y)[0, 1]) < 0.03


@pytest.mark.parametrize("blocks", [2, 3, 7, 20])
def test_a_block_of_vertices_touches_two_others_at_most(blocks):
    graph = troth.generate("rgg:14")
    n = graph.n_vertices
    assert blocks <= n_strips(radius(parse("rgg:14"))) // 2
    u, v, _ = graph.edges()
    assert (abs(u * blocks // n - v * blocks // n) <= 1).all()
