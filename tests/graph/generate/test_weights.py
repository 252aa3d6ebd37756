"""Hashed weights: named by the two ends, spread evenly, and as written down here once more in plain integers."""

import numpy as np
import pytest

import troth
from troth.graph.generate.spec import parse
from troth.graph.generate.weights import weigh

ALL_BITS = 2**64 - 1
SEED = 20261119


def splitmix(x):
    z = (x + 0x9E3779B97F4A7C15) & ALL_BITS
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & ALL_BITS
    z = (z ^ z >> 27) * 0x94D049BB133111EB & ALL_BITS
    return z ^ z >> 31


def weight(seed, u, v):
    key = splitmix(splitmix(seed) + 2 & ALL_BITS)
    drawn = splitmix(splitmix(key ^ min(u, v)) ^ max(u, v))
    return ((drawn >> 12) + 0.5) / 2**52


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1])
def test_as_written_down_in_plain_integers(seed):
    graph = troth.generate("urand:5", seed=seed)
    rows = np.repeat(np.arange(graph.n_vertices), graph.degrees).tolist()
    assert graph.weights.tolist() == [weight(seed, u, v) for u, v in zip(rows, graph.indices.tolist(), strict=True)]


def test_an_edge_has_the_same_weight_in_every_graph():
    grid, path = troth.generate("grid2d:16", seed=SEED), troth.generate("path:4", seed=SEED)
    u, v, w = grid.edges()
    np.testing.assert_array_equal(w[(v < 16) & (v == u + 1)], path.edges()[2])


def test_they_are_uniform():
    weights = troth.generate("path:16", seed=SEED).edges()[2]
    counts, _ = np.histogram(weights, bins=64, range=(0, 1))
    assert abs(counts - weights.size / 64).max() < 6 * (weights.size / 64) ** 0.5
    assert abs(np.corrcoef(weights[1:], weights[:-1])[0, 1]) < 0.02


@pytest.mark.parametrize("largest", [1, 2, 1000, 2**31 - 1])
def test_integers_reach_from_1_to_the_largest(largest):
    weights = troth.generate(f"path:14:weights=integer,max_weight={largest}").weights
    assert weights.dtype == np.int32
    assert weights.min() >= 1
    assert weights.max() <= largest
    if largest <= 1000:
        assert np.unique(weights).size == largest


@pytest.mark.parametrize("kind", ["uniform", "integer", "unit"])
def test_no_edges(kind):
    weights = weigh(np.zeros(4, np.int64), np.empty(0, np.int32), parse(f"path:2:weights={kind}"))
    assert (weights is None) if kind == "unit" else (weights.size == 0)
