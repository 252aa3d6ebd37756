"""The proof finds each kind of fault, at its first place, and agrees with a brute force on random mate arrays."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import troth
from troth.matching.check import find_fault


@pytest.fixture
def path(build_graph):
    return build_graph(6, [0, 1, 2, 3, 4], [1, 2, 3, 4, 5], np.array([1.0, 5.0, 2.0, 0.0, 3.0]))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("mate", "sentence"),
    [
        ([-1, 2, 1, -1, 5, 4], None),
        ([1, 2, 1, -1, 5, 4], "mates are not mutual: the mate of 0 is 1"),
        ([-1, 2, 1, 5, -1, 3], "vertices 3 and 5 are matched but no edge joins them"),
        ([-1, 2, 1, 4, 3, -1], r"the matched edge \(3, 4\) has no positive weight"),
        ([-1, 2, 1, -1, -1, -1], r"not maximal: edge \(4, 5\)"),
        ([1, 0, 3, 2, 5, 4], r"edge \(1, 2\) blocks"),
        ([0, 2, 1, -1, 5, 4], "vertices 0 and 0 are matched but no edge"),
    ],
)
def test_each_fault_is_named(path, mate, sentence, threads):
    fault = find_fault(path, mate, threads=threads)
    if sentence is None:
        assert fault is None
    else:
        with pytest.raises(ValueError, match=sentence):
            raise ValueError(fault.sentence())


@pytest.mark.parametrize(
    ("mate", "sentence"),
    [
        ([0, 1], r"shape \(2,\)"),
        ([0.0] * 6, "type float64"),
        ([-1, 6, -1, -1, -1, -1], "the mate of 1 is 6; it must be -1 or below 6"),
        ([-2, -1, -1, -1, -1, -1], "the mate of 0 is -2"),
    ],
)
def test_what_is_no_mate_array_is_refused(path, mate, sentence):
    with pytest.raises(ValueError, match=sentence):
        find_fault(path, np.array(mate))


def test_ties_are_part_of_the_proof(build_graph):
    """On a path of three equal edges both end edges, or the middle one, are maximal; the tie rule allows one answer."""
    graph = build_graph(4, [0, 1, 2], [1, 2, 3], np.ones(3))
    answers = [[1, 0, 3, 2], [-1, 2, 1, -1]]
    for hashed in (True, False):
        faultless = [mate for mate in answers if find_fault(graph, mate, hashed=hashed) is None]
        assert len(faultless) == 1
        found = troth.max_weight_matching(graph, tie_break="hash" if hashed else "id").mate.tolist()
        assert faultless == [found]


def test_path_growing_need_not_be_dominant_but_must_be_maximal(path):
    assert find_fault(path, [1, 0, 3, 2, 5, 4], dominant=False) is None
    assert find_fault(path, [-1, -1, 3, 2, 5, 4], dominant=False) is not None


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 7), st.integers(0, 2**32 - 1))
def test_agrees_with_brute_force(build_graph, greedy_oracle, n, seed):
    rng = np.random.default_rng(seed)
    u, v = np.triu_indices(n, 1)
    keep = rng.random(u.size) < 0.6
    graph = build_graph(n, u[keep], v[keep], rng.integers(0, 3, keep.sum()).astype(float))
    mate = np.full(n, -1)
    order = rng.permutation(n)
    for a, b in order[: n // 2 * 2].reshape(-1, 2):
        if rng.random() < 0.7:
            mate[a], mate[b] = b, a
    right = mate.tolist() == greedy_oracle(graph).tolist()
    assert (find_fault(graph, mate) is None) == right
