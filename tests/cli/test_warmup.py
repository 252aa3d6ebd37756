"""troth warmup: after it, nothing that a user does compiles."""

import json

import numpy as np

import troth
from troth.cli import warmup
from troth.kernels import team
from troth.matching.registry import ALGORITHMS


def test_nothing_compiles_after_it(run, monkeypatch):
    monkeypatch.setattr(warmup, "_WEIGHTS", ("float32", None))  # all would take a minute where nothing is cached
    said = json.loads(run("warmup", "--json").out)
    assert set(said) == {"seconds", "compile", "cache"}
    compiled = team.compile_seconds()
    drawn = troth.generate("rmat:6:dtype=float32")
    graphs = [
        drawn,
        troth.as_graph(drawn.to_scipy()),
        troth.as_graph((np.array([0, 1]), np.array([1, 2]), np.array([1, 2], np.float32))),
        troth.as_graph((np.array([0, 1]), np.array([1, 2]))),
    ]
    for graph in graphs:
        for algorithm in ALGORITHMS:
            matching = troth.max_weight_matching(graph, algorithm=algorithm)
            matching.verify()
            assert matching.weight > 0
    for name in ("a.mtx", "a.txt", "a.graph"):
        troth.write(troth.generate("rmat:6:weights=unit"), name)
        troth.read(name)
    assert team.compile_seconds() == compiled
