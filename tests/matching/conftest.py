"""Graph families with tied and untied weights, and an oracle: greedy in plain Python on Python's own numbers."""

import numpy as np
import pytest
import scipy.sparse as sp

from troth.graph.csr import Graph

SEED = 20261119
MASK = 2**64 - 1


def plain_mix(x):
    z = (x + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
    return z ^ z >> 31


def oracle(graph, hashed=True):
    """The mates by the definition of the strict edge order, heaviest edge first."""
    tie = plain_mix if hashed else int
    u, v, w = (None if part is None else part.tolist() for part in graph.edges())
    weights = w if w is not None else [1] * len(u)
    edges = [
        (weight, max(tie(a), tie(b)), min(tie(a), tie(b)), a, b)
        for a, b, weight in zip(u, v, weights, strict=True)
        if weight > 0
    ]
    mate = [-1] * graph.n_vertices
    for _, _, _, a, b in sorted(edges, reverse=True):
        if mate[a] < 0 and mate[b] < 0:
            mate[a], mate[b] = b, a
    return np.array(mate)


def make_graph(n, u, v, weights=None, index=np.int32):
    """A Graph from distinct edges u < v, built with SciPy alone."""
    u, v = np.asarray(u, np.int64), np.asarray(v, np.int64)
    slots = np.arange(u.size) + 1
    matrix = sp.coo_array((np.r_[slots, slots], (np.r_[u, v], np.r_[v, u])), shape=(n, n)).tocsr()
    matrix.sort_indices()
    data = None if weights is None else np.asarray(weights)[matrix.data - 1]
    return Graph(matrix.indptr.astype(np.int64), matrix.indices.astype(index), data)


def random_ends(n, m, rng):
    a, b = rng.integers(0, n, (2, m))
    pairs = np.unique(np.sort(np.column_stack((a, b))[a != b], axis=1), axis=0)
    return pairs[:, 0], pairs[:, 1]


def star_of_hubs(n, rng):
    """Three hubs joined to everyone: long rows, and most vertices stay free."""
    hubs = np.arange(3)
    u, v = np.repeat(hubs, n), np.tile(np.arange(n), 3)
    keep = u < v
    return u[keep], v[keep]


ENDS = {
    "empty": lambda rng: (0, [], []),
    "one vertex": lambda rng: (1, [], []),
    "no edges": lambda rng: (7, [], []),
    "one edge": lambda rng: (5, [1], [3]),
    "path": lambda rng: (300, np.arange(299), np.arange(1, 300)),
    "complete": lambda rng: (40, *np.triu_indices(40, 1)),
    "sparse": lambda rng: (2000, *random_ends(2000, 5000, rng)),
    "dense rows": lambda rng: (300, *random_ends(300, 9000, rng)),
    "hubs": lambda rng: (900, *star_of_hubs(900, rng)),
}
WEIGHTS = {
    "uniform": lambda m, rng: rng.random(m),
    "float32": lambda m, rng: rng.random(m).astype(np.float32),
    "tied": lambda m, rng: rng.integers(1, 4, m).astype(np.float64),
    "integers": lambda m, rng: rng.integers(-2, 6, m).astype(np.int32),
    "large integers": lambda m, rng: rng.integers(2**61, 2**62, m),
    "nearly tied": lambda m, rng: 1.0 + rng.integers(0, 50, m) * 2.0**-52,
    "all zero or below": lambda m, rng: -rng.integers(0, 3, m).astype(np.float64),
    "none": lambda m, rng: None,
}


@pytest.fixture(scope="session", params=[(e, w) for e in ENDS for w in WEIGHTS], ids=lambda p: f"{p[0]}, {p[1]}")
def graph(request):
    ends, weights = request.param
    rng = np.random.default_rng(SEED)
    n, u, v = ENDS[ends](rng)
    return make_graph(n, u, v, WEIGHTS[weights](len(u), rng))


@pytest.fixture(scope="session")
def greedy_oracle():
    return oracle


@pytest.fixture(scope="session")
def build_graph():
    return make_graph


@pytest.fixture(scope="session")
def tied_graph():
    rng = np.random.default_rng(SEED + 1)
    u, v = random_ends(500, 3000, rng)
    return make_graph(500, u, v, rng.integers(1, 9, u.size).astype(np.float64))
