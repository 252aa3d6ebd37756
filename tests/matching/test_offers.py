"""Packing proposals in one word: what is lost, and the closer look that settles it."""

import numpy as np
import pytest

from troth.graph.order import weight_keys
from troth.matching.offers import accepts, packing_of


def pair(build_graph, weight, n=2):
    return build_graph(n, [0], [1], np.array([weight]))


@pytest.mark.parametrize(
    ("weight", "exact"),
    [
        (np.float64(0.1), False),
        (np.float64(3.0), True),
        (np.float32(0.1), True),
        (np.int32(7), True),
        (np.int64(7), True),
        (np.int64(2**62 - 1), False),
        (np.int64(2**62), True),
    ],
)
def test_packing_is_exact_when_no_set_bit_is_lost(build_graph, weight, exact):
    graph = pair(build_graph, weight, n=1000)
    pack = packing_of(graph)
    assert pack.bits == 10
    assert pack.exact is exact
    restored = (int(pack.keys[0]) >> pack.shift) << pack.shift
    assert (restored == int(pack.keys[0])) is exact


def test_words_of_the_largest_weights_and_ids_fit(build_graph):
    graph = pair(build_graph, np.float64(np.finfo(np.float64).max), n=3)
    pack = packing_of(graph)
    word = ((int(pack.keys[0]) >> pack.shift) << pack.bits) | 3
    assert 0 < word < 2**63


@pytest.mark.parametrize("form", ["compiled", "plain"])
def test_accepts_compares_weights_then_ties(build_graph, form):
    ask = accepts if form == "compiled" else accepts.py_func
    tiny = 2.0**-52
    graph = build_graph(4, [0, 0, 0], [1, 2, 3], np.array([1.0, 1.0 + tiny, 1.0]))
    keys = weight_keys(graph.weights, 6)
    shift, bits = 20, 20

    def word(u, weight):
        return (int(np.float64(weight).view(np.int64)) >> shift) << bits | (u + 1)

    def asks(held, u, weight, *, exact=False, hashed=False):
        key = np.float64(weight).view(np.int64)
        return bool(ask(graph.indptr, graph.indices, keys, held, 0, u, key, shift, bits, exact, hashed))

    assert asks(0, 1, 1.0)
    assert asks(word(1, 1.0), 2, 1.0 + tiny)
    assert not asks(word(2, 1.0 + tiny), 1, 1.0)
    assert asks(word(1, 1.0), 3, 1.0)
    assert not asks(word(3, 1.0), 1, 1.0)
    assert not asks(word(1, 1.0), 1, 1.0)


def test_union_of_keys(build_graph):
    graph = build_graph(4, [0, 1], [1, 2], np.array([5, -3]))
    assert graph.used_key_bits == 5
    assert build_graph(3, [], [], np.array([], np.int64)).used_key_bits == 0
