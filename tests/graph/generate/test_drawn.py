"""Families made from edge numbers: any range of edges alone, and the graph that all of them make."""

from itertools import pairwise

import numpy as np
import pytest

import troth
from troth.graph.build import from_edges
from troth.graph.generate.drawn import edges_of
from troth.graph.generate.hashing import rounds, scramble

SEED = 20261119
SPECS = {
    "rmat:12": (1 << 12) * 16,
    "urand:12:edge_factor=9": (1 << 12) * 9,
    "sbp:11": (1 << 11) * 24,
    "bipartite:12": (1 << 12) * 8,
    "bipartite:12:kind=layered": (1 << 12) * 8,
}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("spec", SPECS)
def test_ranges_put_together_are_the_whole(spec, threads):
    cuts = [0, 1, 1, 5000, 20_000, SPECS[spec]]
    parts = [edges_of(spec, *ends, seed=SEED, threads=threads) for ends in pairwise(cuts)]
    whole = edges_of(spec, 0, SPECS[spec], seed=SEED)
    for side in (0, 1):
        np.testing.assert_array_equal(np.concatenate([part[side] for part in parts]), whole[side])


@pytest.mark.parametrize("spec", SPECS)
def test_the_graph_is_that_of_all_edges(spec):
    u, v = edges_of(spec, 0, SPECS[spec], seed=SEED)
    graph = troth.generate(spec, seed=SEED)
    expected = from_edges(u, v, n_vertices=graph.n_vertices, duplicates="same", loops="drop")
    np.testing.assert_array_equal(graph.indptr, expected.indptr)
    np.testing.assert_array_equal(graph.indices, expected.indices)


@pytest.mark.parametrize("relabel", ["yes", "no"])
@pytest.mark.parametrize("spec", ["rmat:36", "bipartite:33", "sbp:34"])
def test_ids_beyond_32_bits(spec, relabel):
    spec += f":relabel={relabel}" if "bipartite" not in spec else ""
    u, v = edges_of(spec, 10**9, 10**9 + 1000, seed=SEED)
    n = 1 << int(spec.split(":")[1])
    assert u.dtype == np.int64
    assert min(u.min(), v.min()) >= 0
    assert max(u.max(), v.max()) < (2 * n if "bipartite" in spec else n)
    assert v.max() > 2**31


@pytest.mark.parametrize("bits", [0, 1, 2, 3, 7, 12])
def test_scramble_is_a_bijection(bits):
    constants = rounds(SEED, bits)
    assert sorted(int(scramble(x, constants)) for x in range(1 << bits)) == list(range(1 << bits))


def test_scramble_leaves_no_order():
    n = 1 << 12
    labels = np.array([int(scramble(x, rounds(SEED, 12))) for x in range(n)])
    assert abs(np.corrcoef(labels, np.arange(n))[0, 1]) < 0.05
    assert abs(np.corrcoef(labels[1:], labels[:-1])[0, 1]) < 0.05


def test_rmat_picks_quarters_as_asked():
    u, v = edges_of("rmat:15:relabel=no,a=0.4,b=0.3,c=0.2", 0, 200_000, seed=SEED)
    for bit in (14, 13, 7, 0):
        tail, head = u >> bit & 1, v >> bit & 1
        shares = np.bincount(2 * tail + head, minlength=4) / u.size
        np.testing.assert_allclose(shares, [0.4, 0.3, 0.2, 0.1], atol=0.01)


def test_rmat_levels_are_independent():
    u, _ = edges_of("rmat:15:relabel=no", 0, 200_000, seed=SEED)
    correlations = np.corrcoef([u >> bit & 1 for bit in range(15)]) - np.eye(15)
    assert abs(correlations).max() < 0.02


def test_rmat_is_skewed_and_urand_is_not():
    rmat, urand = (troth.generate(f"{name}:14:weights=unit") for name in ("rmat", "urand"))
    assert rmat.degrees.max() > 60 * rmat.degrees.mean()
    assert urand.degrees.max() < 3 * urand.degrees.mean()
    assert (rmat.degrees == 0).mean() > 0.2
    assert 0.75 < rmat.n_edges / (16 << 14) < 0.9
    assert 0.99 < urand.n_edges / (16 << 14) < 1


def test_relabelling_changes_names_only():
    named, plain = (troth.generate(f"rmat:11:weights=unit,relabel={answer}") for answer in ("yes", "no"))
    new = np.array([int(scramble(x, rounds(1, 11))) for x in range(1 << 11)])
    u, v, _ = plain.edges()
    assert from_edges(new[u], new[v], n_vertices=1 << 11) == named


def test_urand_is_uniform():
    u, v = edges_of("urand:10", 0, 200_000, seed=SEED)
    for ends in (u, v, u ^ v):
        assert abs(np.bincount(ends, minlength=1024) - 195).max() < 80


def test_bipartite_joins_rows_with_columns_only():
    u, v, _ = troth.generate("bipartite:9").edges()
    assert u.max() == 511
    assert v.min() == 512


@pytest.mark.parametrize("width", [1, 3, 8])
def test_layers_are_joined_with_the_next(width):
    graph = troth.generate(f"bipartite:9:kind=layered,edge_factor={width}")
    u, v, _ = graph.edges()
    steps = (v - 512) // width - u // width
    assert set(steps.tolist()) == {0, 1}
    assert graph.degrees[:512].min() >= 1
    assert graph.degrees[:512].max() <= width


def test_layers_stretch_augmenting_paths():
    # A maximum matching leaves no column free that a free row could reach, however deep; greedy leaves many to mend.
    graph = troth.generate("bipartite:12:kind=layered")
    rows, columns = np.zeros(4096, bool), np.zeros(4096, bool)
    for row in range(4096):
        near = graph.indices[graph.indptr[row] : graph.indptr[row + 1]] - 4096
        free = near[~columns[near]]
        if free.size:
            rows[row] = columns[free[0]] = True
    assert 20 < (~rows).sum() < 1000
