"""troth match: what it says, what it writes, and what it refuses."""

import csv
import errno
import json
import os

import numpy as np
import pytest

import troth
from troth.cli import match as command
from troth.cli.source import Source

SPEC = "rgg:7:weights=integer"
KEYS = {
    "graph", "seed", "vertices", "edges", "algorithm", "backend", "threads", "tie_break", "cardinality", "weight",
    "verified", "seconds", "version",
}  # fmt: skip
STAGES = {"import", "load", "compile", "match", "weigh", "verify"}


@pytest.fixture
def graph():
    return troth.generate(SPEC)


@pytest.fixture
def matching(graph):
    return troth.max_weight_matching(graph)


def test_json_is_one_object_with_every_key(run, graph, matching):
    result = run("match", SPEC, "--json", "--threads", "2")
    assert (result.code, result.err, result.out.count("\n")) == (0, "", 1)
    said = json.loads(result.out)
    assert set(said) == KEYS
    assert set(said["seconds"]) == STAGES
    assert all(seconds >= 0 for seconds in said["seconds"].values())
    expected = {
        "graph": SPEC, "seed": 1, "vertices": graph.n_vertices, "edges": graph.n_edges, "algorithm": "suitor",
        "backend": "threads", "threads": 2, "tie_break": "hash", "cardinality": matching.cardinality,
        "weight": matching.weight, "verified": True, "version": troth.__version__,
    }  # fmt: skip
    assert {key: said[key] for key in expected} == expected
    assert isinstance(said["weight"], int)


def test_options_reach_the_matcher(run):
    how = ["--algorithm", "greedy", "--backend", "serial", "--tie-break", "id", "--seed", "77", "--no-verify"]
    said = json.loads(run("match", "rgg:7:weights=unit", "--json", *how).out)
    expected = troth.max_weight_matching(
        troth.generate("rgg:7:weights=unit", seed=77), algorithm="greedy", tie_break="id"
    )
    assert (said["algorithm"], said["backend"], said["threads"]) == ("greedy", "serial", 1)
    assert (said["tie_break"], said["seed"], said["verified"]) == ("id", 77, None)
    assert said["cardinality"] == expected.cardinality


def test_the_table_says_the_same(run, graph, matching):
    out = run("match", SPEC).out
    assert f"{graph.n_edges:,}" in out
    assert f"{matching.weight:,}" in out
    assert "valid, maximal" in out
    assert "not checked" in run("match", SPEC, "--no-verify").out


def test_mates_are_written(run, tmp_path, matching):
    assert run("match", SPEC, "-o", "mates.npy").code == 0
    assert np.array_equal(np.load(tmp_path / "mates.npy"), matching.mate)


def weight_of(graph, u, v):
    return graph.weights[graph.indptr[u] + np.searchsorted(graph.indices[graph.indptr[u] : graph.indptr[u + 1]], v)]


@pytest.mark.parametrize("suffix", [".txt", ".csv"])
def test_pairs_are_written(run, tmp_path, suffix, graph, matching):
    assert run("match", SPEC, "-o", "pairs" + suffix).code == 0
    with open(tmp_path / f"pairs{suffix}", newline="") as file:
        rows = list(csv.reader(file, delimiter="," if suffix == ".csv" else " "))
    if suffix == ".csv":
        assert rows.pop(0) == ["u", "v", "weight"]
    expected = [(u, v, weight_of(graph, u, v)) for u, v in enumerate(matching.mate.tolist()) if u < v]
    assert [(int(u), int(v), int(w)) for u, v, w in rows] == expected


def test_pairs_carry_labels_and_short_weights(run, tmp_path):
    (tmp_path / "far.txt").write_text("900000001 900000002 0.1\n900000002 900000003 0.25\n")
    assert run("match", "far.txt", "-o", "pairs.csv").code == 0
    assert (tmp_path / "pairs.csv").read_text() == "u,v,weight\n900000002,900000003,0.25\n"


def test_pairs_of_a_pattern_have_no_weight(run, tmp_path):
    (tmp_path / "a.txt").write_text("0 1\n")
    assert run("match", "a.txt", "-o", "pairs.csv").code == 0
    assert (tmp_path / "pairs.csv").read_text() == "u,v\n0,1\n"


@pytest.mark.parametrize("suffix", [".png", ".pdf", ".svg"])
def test_plot_is_written(run, tmp_path, suffix):
    assert run("match", SPEC, "--plot", "picture" + suffix).code == 0
    start = (tmp_path / f"picture{suffix}").read_bytes()[:5]
    assert start in (b"\x89PNG\r", b"%PDF-", b"<?xml")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["no/such.mtx"], ["no/such.mtx", "rmat:18"]),
        (["two\nlines.mtx"], ["two lines.mtx"]),
        (["rmt:7"], ["rmt:7", "did you mean 'rmat'"]),
        (["rmat:7:edgefactor=4"], ["did you mean 'edge_factor'"]),
        (["rmat:x"], ["rmat:x"]),
        (["empty.mtx"], ["empty.mtx", "empty"]),
        (["folder"], ["folder is a directory"]),
        (["file.mtxx"], ["'.mtxx'", "did you mean '.mtx'", "--format"]),
        (["empty.mtx", "--format", "metiss"], ["did you mean 'metis'"]),
        ([SPEC, "--algorithm", "sutor"], ["did you mean 'suitor'"]),
        ([SPEC, "--backend", "thread"], ["did you mean 'threads'"]),
        ([SPEC, "--tie-break", "random"], ["'hash'", "'id'"]),
        ([SPEC, "--threads", "0"], ["threads is 0"]),
        ([SPEC, "--algorithm", "greedy", "--backend", "threads"], ["greedy"]),
        ([SPEC, "--symmetrize", "max"], [SPEC, "files"]),
        (["empty.mtx", "--symmetrize", "mx"], ["did you mean 'max'"]),
        (["empty.mtx", "--seed", "5"], ["--seed"]),
        ([SPEC, "-o", "mates.mtx"], ["mates.mtx", ".npy, .txt or .csv"]),
        ([SPEC, "-o", "no/mates.npy"], ["no/mates.npy", "there is no directory no"]),
        ([SPEC, "--plot", "picture.gif"], ["picture.gif", ".png, .pdf or .svg"]),
    ],
)
def test_bad_input_is_one_line(fails, tmp_path, monkeypatch, args, words):
    (tmp_path / "empty.mtx").touch()
    (tmp_path / "file.mtxx").touch()
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    message = fails("match", *args)
    assert all(word in message for word in words), message
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "options", ["-o no/mates.npy", "--plot no/picture.png", "--algorithm sutor", "--threads 0", "--tie-break x"]
)
def test_options_are_refused_before_the_work(fails, monkeypatch, options):
    monkeypatch.setattr(Source, "load", lambda *args: pytest.fail("loaded before the check"))
    fails("match", SPEC, *options.split())


def test_a_wrong_matching_is_our_error_and_not_written(run, tmp_path, monkeypatch):
    def find_fault(self, graph):
        raise ValueError("edge (0, 1) blocks")

    monkeypatch.setattr(troth.Matching, "verify", find_fault)
    result = run("match", SPEC, "-o", "mates.npy")
    assert (result.code, result.out) == (1, "")
    assert result.err == "troth: the matching is wrong, please report it: edge (0, 1) blocks\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("option", "name"), [("-o", "mates.npy"), ("-o", "pairs.csv"), ("--plot", "picture.png")])
def test_a_full_disk_is_one_line_and_leaves_nothing(fails, tmp_path, monkeypatch, option, name):
    def full(*args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    assert fails("match", SPEC, option, name) == f"troth: {name}: no space left on device\n"
    assert not list(tmp_path.iterdir())


def test_a_bug_is_one_line_too(run, monkeypatch):
    monkeypatch.setattr(command, "_match", lambda *args: {}["key"])
    result = run("match", SPEC)
    assert (result.code, result.out, result.err.count("\n")) == (1, "", 1)
    assert "internal error" in result.err
    assert "KeyError" in result.err


MATRIX = "%%MatrixMarket matrix coordinate real general\n3 3 5\n1 2 2\n2 1 3\n2 2 9\n2 3 1\n2 3 1.5\n"


@pytest.mark.parametrize(
    ("repairs", "cure"),
    [
        ([], "add --"),
        (["--drop-loops"], "add --"),
        (["--drop-loops", "--sum-duplicates"], "add --symmetrize"),
    ],
)
def test_the_cure_is_an_option(fails, tmp_path, repairs, cure):
    (tmp_path / "a.mtx").write_text(MATRIX)
    message = fails("match", "a.mtx", *repairs)
    assert "a.mtx" in message
    assert cure in message


@pytest.mark.parametrize(("how", "weight"), [("max", 3.0), ("sum", 5.0)])
def test_a_matrix_is_mended(run, tmp_path, how, weight):
    (tmp_path / "a.mtx").write_text(MATRIX)
    said = json.loads(run("match", "a.mtx", "--drop-loops", "--sum-duplicates", "--symmetrize", how, "--json").out)
    assert (said["edges"], said["cardinality"], said["weight"]) == (2, 1, weight)


def test_a_mended_list_keeps_labels_and_single_directions(run, tmp_path):
    (tmp_path / "far.txt").write_text(
        "900000001 900000001 5\n900000001 900000002 1\n900000002 900000003 1\n900000002 900000003 1.5\n"
    )
    result = run("match", "far.txt", "--drop-loops", "--sum-duplicates", "-o", "pairs.csv")
    assert result.code == 0, result.err
    assert (tmp_path / "pairs.csv").read_text() == "u,v,weight\n900000002,900000003,2.5\n"
