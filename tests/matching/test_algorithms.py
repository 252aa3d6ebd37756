"""Every algorithm on every family returns the oracle's mates, for any number of threads; and the gate that all ran."""

import os
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import troth
from troth.matching.registry import ALGORITHMS

DOMINANT = [name for name, method in ALGORITHMS.items() if method.dominant]
RUNS = [(name, threads) for name, method in ALGORITHMS.items() for threads in ((1, 2, 5) if method.threaded else (1,))]


@pytest.mark.parametrize(("algorithm", "threads"), RUNS)
@pytest.mark.parametrize("tie_break", ["hash", "id"])
def test_equals_the_oracle(graph, greedy_oracle, algorithm, threads, tie_break):
    matching = troth.max_weight_matching(graph, algorithm=algorithm, threads=threads, tie_break=tie_break)
    assert matching.mate.dtype == graph.indices.dtype
    matching.verify(graph)
    if ALGORITHMS[algorithm].dominant:
        assert matching.mate.tolist() == greedy_oracle(graph, tie_break == "hash").tolist()


def test_the_registry_is_the_issue_s_list():
    assert set(ALGORITHMS) == {
        "greedy", "locally-dominant", "suitor", "suitor-d", "suitor-s", "suitor-ds", "path-growing",
    }  # fmt: skip


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_int64_indices_give_the_same_mates(build_graph, tied_graph, algorithm):
    u, v, w = tied_graph.edges()
    wide = build_graph(tied_graph.n_vertices, u, v, w, np.int64)
    matching = troth.max_weight_matching(wide, algorithm=algorithm)
    assert matching.mate.dtype == np.int64
    assert np.array_equal(matching.mate, troth.max_weight_matching(tied_graph, algorithm=algorithm).mate)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_at_least_half_of_the_optimum(build_graph, algorithm):
    rng = np.random.default_rng(20261120)
    for n in (6, 15, 30):
        nx_graph = nx.gnp_random_graph(n, 0.3, seed=int(rng.integers(10**9)))
        u, v = np.array(sorted(nx_graph.edges)).T
        w = rng.random(u.size)
        for a, b, weight in zip(u, v, w, strict=True):
            nx_graph[a][b]["weight"] = weight
        best = sum(nx_graph[a][b]["weight"] for a, b in nx.max_weight_matching(nx_graph))
        weight = troth.max_weight_matching(build_graph(n, u, v, w), algorithm=algorithm).weight
        assert best / 2 <= weight <= best + 1e-12


@st.composite
def small_edges(draw):
    n = draw(st.integers(1, 12))
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] < p[1])
    ends = draw(st.lists(pairs, unique=True, max_size=30)) if n > 1 else []
    value = st.sampled_from([0.0, -0.0, -1.0, 5e-324, 1.0, 1.0 + 2**-52, 2.0, 1e308])
    return n, ends, [draw(value) for _ in ends]


@settings(max_examples=150, deadline=None)
@given(small_edges(), st.sampled_from(DOMINANT), st.booleans())
def test_shapes_nobody_thought_of(build_graph, greedy_oracle, drawn, algorithm, hashed):
    n, ends, weights = drawn
    u, v = np.array(ends, np.int64).reshape(-1, 2).T
    graph = build_graph(n, u, v, np.array(weights, np.float64))
    matching = troth.max_weight_matching(graph, algorithm=algorithm, threads=2, tie_break="hash" if hashed else "id")
    assert matching.mate.tolist() == greedy_oracle(graph, hashed).tolist()
    matching.verify()


PLAIN = """
import numpy as np, troth
from troth.matching.registry import ALGORITHMS
rng = np.random.default_rng(20261121)
for draw in range(4):
    n = int(rng.integers(2, 40))
    u, v = np.triu_indices(n, 1)
    keep = rng.random(u.size) < 0.4
    graph = troth.graph.build.from_edges(u[keep], v[keep], rng.integers(0, 4, keep.sum()).astype(float), n_vertices=n)
    mates = []
    for name, method in ALGORITHMS.items():
        matching = troth.max_weight_matching(graph, algorithm=name, threads=1)
        matching.verify()
        if method.dominant:
            mates.append(matching.mate.tolist())
    assert all(mate == mates[0] for mate in mates), mates
print("equal")
"""


def test_all_kernels_run_as_plain_python():
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    code = "import troth.graph.build" + PLAIN
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "equal", done.stderr


def test_without_vector_instructions_the_mates_are_the_same(tmp_path):
    environment = os.environ | {"TROTH_VECTOR": "0", "NUMBA_CACHE_DIR": str(tmp_path)}
    code = (
        "import troth; graph = troth.generate('rmat:9:weights=integer,max_weight=3');"
        "print(*troth.max_weight_matching(graph).mate)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
    expected = troth.max_weight_matching(troth.generate("rmat:9:weights=integer,max_weight=3")).mate
    assert done.stdout.split() == [str(v) for v in expected], done.stderr
