"""Stochastic block model: shares within blocks, sizes of blocks, and degrees."""

from itertools import pairwise

import numpy as np
import pytest

import troth
from troth.graph.generate.drawn import edges_of
from troth.graph.generate.sbp import block_starts
from troth.graph.generate.spec import parse

SEED = 20261119


@pytest.mark.parametrize(("overlap", "ratio"), [("high", 2.5), ("low", 5.0)])
def test_edges_within_blocks_over_edges_between(overlap, ratio):
    spec = f"sbp:14:relabel=no,overlap={overlap}"
    starts = block_starts(parse(spec, seed=SEED))
    u, v = (np.searchsorted(starts, ends, side="right") for ends in edges_of(spec, 0, 200_000, seed=SEED))
    within = (u == v).sum()
    assert within / (u.size - within) == pytest.approx(ratio, rel=0.05)


def test_edges_that_leave_a_block_go_anywhere_by_size():
    spec = "sbp:14:relabel=no,sizes=high"
    starts = block_starts(parse(spec, seed=SEED))
    u, v = (np.searchsorted(starts, ends, side="right") - 1 for ends in edges_of(spec, 0, 400_000, seed=SEED))
    sizes = np.diff(starts) / starts[-1]
    between = np.zeros((sizes.size, sizes.size))
    np.add.at(between, (u[u != v], v[u != v]), 1)
    expected = sizes[:, None] * sizes / (1 - sizes)[:, None] * (1 - np.eye(sizes.size))
    np.testing.assert_allclose(between / between.sum(), expected, atol=0.0015)


@pytest.mark.parametrize("number", range(13))
@pytest.mark.parametrize("sizes", ["low", "high"])
def test_no_block_is_empty(number, sizes):
    starts = block_starts(parse(f"sbp:{number}:sizes={sizes}", seed=SEED))
    assert (starts[0], starts[-1]) == (0, 1 << number)
    assert (np.diff(starts) > 0).all()
    assert starts.size - 1 == max(1, int((1 << number) ** 0.35))


def test_sizes_of_blocks_vary_as_asked():
    low, high = (np.diff(block_starts(parse(f"sbp:20:sizes={sizes}"))) for sizes in ("low", "high"))
    # The sizes of a Dirichlet distribution of concentration a vary by 1 / sqrt(a).
    assert low.std() / low.mean() == pytest.approx(10**-0.5, rel=0.25)
    assert high.std() / high.mean() == pytest.approx(3**-0.5, rel=0.25)


def test_degrees_follow_the_power_law():
    u, v = edges_of("sbp:10:relabel=no", 0, 4_000_000, seed=SEED)
    degrees = np.bincount(np.concatenate([u, v]), minlength=1 << 10)
    starts = block_starts(parse("sbp:10", seed=SEED))
    for first, last in pairwise(starts):
        rank = (np.arange(last - first) + 0.5) / (last - first)
        law = (1 - rank * (1 - 100**-1.5)) ** (-2 / 3)
        block = degrees[first:last] / degrees[first:last].sum()
        np.testing.assert_allclose(block[:-5], (law / law.sum())[:-5], rtol=0.1)


def test_ids_do_not_show_the_blocks():
    graph = troth.generate("sbp:12")
    rows = np.repeat(np.arange(graph.n_vertices), graph.degrees)
    assert abs(np.corrcoef(rows, graph.indices)[0, 1]) < 0.05
    plain = troth.generate("sbp:12:relabel=no")
    rows = np.repeat(np.arange(plain.n_vertices), plain.degrees)
    assert np.corrcoef(rows, plain.indices)[0, 1] > 0.3
