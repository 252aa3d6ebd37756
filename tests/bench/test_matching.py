"""The benchmark of matching: who takes part, and that wrong results are found out."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

import troth
from troth.bench.matching import FLOOR, Judge, bench_matching, read_entries, read_once
from troth.cli import main
from troth.matching.registry import ALGORITHMS

SEED = 20261119


@pytest.fixture(params=["uniform", "integer", None])
def graph(request):
    if request.param is None:
        return troth.as_graph((np.array([0, 1]), np.array([1, 2])))
    return troth.generate(f"rmat:7:weights={request.param}", seed=SEED)


def test_every_algorithm_takes_part():
    graph = troth.generate("rmat:7", seed=SEED)
    records = bench_matching(graph, name="rmat:7", seed=SEED, threads=[1, 2], trials=1, peers=False)
    runs = {(each["case"], each["threads"]) for each in records}
    threaded = {(name, size) for name, each in ALGORITHMS.items() for size in ((1, 2) if each.threaded else (1,))}
    assert runs == threaded | {(FLOOR, 1), (FLOOR, 2)}
    weight = troth.max_weight_matching(graph).weight
    for each in records:
        assert each["verified"]
        assert each["floors"] > 0
        assert each["ratio"] is None
        if each["case"] not in (FLOOR, "path-growing"):
            assert each["weight"] == weight


def test_the_floor_reads_everything(graph, monkeypatch):
    monkeypatch.setattr("troth.bench.matching._CHUNK", 7)
    keys = graph.indices if graph.weights is None else graph.weights.view(f"i{graph.weights.dtype.itemsize}")
    expected = sum(graph.indices.tolist()) + sum(keys.tolist())
    wrapped = (expected + 2**63) % 2**64 - 2**63
    assert read_once(graph, threads=1) == read_once(graph, threads=2) == wrapped


def test_the_floor_as_plain_python():
    control, totals = np.zeros(32, np.int64), np.zeros(1, np.int64)
    read_entries.py_func(control, 0, np.arange(5, dtype=np.int32), np.full(5, 10, np.int64), totals)
    assert totals.tolist() == [60]


def test_the_judge_finds_a_wrong_and_a_different_matching():
    graph = troth.generate("rmat:7", seed=SEED)
    right = troth.max_weight_matching(graph)
    wrong = replace(right, mate=np.full_like(right.mate, -1))
    with pytest.raises(ValueError, match="not maximal"):
        Judge(graph)(wrong)
    judge = Judge(graph)
    judge(right)
    with pytest.raises(ValueError, match="another matching"):
        judge(wrong)


def test_the_peer_gets_the_same_weight():
    pytest.importorskip("networkit")
    graph = troth.generate("rgg:7", seed=SEED)
    peer, *ours = bench_matching(graph, name="rgg:7", threads=[1], algorithms=["suitor"], trials=1)
    assert (peer["case"], peer["ratio"]) == ("networkit", 1.0)
    assert peer["weight"] == pytest.approx(ours[-1]["weight"])
    assert peer["cardinality"] == ours[-1]["cardinality"]
    assert ours[-1]["ratio"] > 0


def bench(*args):
    with pytest.raises(SystemExit) as left:
        main(["bench", "matching", "--graph", "rmat:6", *args])
    return left.value.code


def test_the_command_appends_json_lines(tmp_path, capsys):
    lines = tmp_path / "out.jsonl"
    lines.write_text("{}\n")
    options = ["--no-peers", "--threads", "1", "--trials", "1", "--algorithm", "suitor", "--json-lines", str(lines)]
    assert bench(*options) == 0
    out = capsys.readouterr().out
    assert "rmat:6 (seed 1)" in out
    assert "suitor" in out
    assert [json.loads(line).get("case") for line in lines.read_text().splitlines()] == [None, FLOOR, "suitor"]


def test_a_missing_peer_is_one_line(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "networkit", None)
    assert bench() == 2
    assert capsys.readouterr().err == (
        "troth: the comparison needs NetworKit: pip install 'troth[bench]', or leave it out with --no-peers\n"
    )
