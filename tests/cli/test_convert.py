"""troth generate and troth convert: what lands in the file, and nothing else."""

import errno
import json
import os

import pytest

import troth


def test_generate_writes_the_graph(run, tmp_path):
    said = json.loads(run("generate", "rmat:7", "-o", "a.npz", "--seed", "77", "--json").out)
    graph = troth.generate("rmat:7", seed=77)
    assert troth.read(tmp_path / "a.npz") == graph
    assert said.pop("seconds") >= 0
    assert said == {
        "graph": "rmat:7", "seed": 77, "vertices": graph.n_vertices, "edges": graph.n_edges, "output": "a.npz",
        "format": "npz",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["b.mtx", "b.troth", "b.wsg", "b.txt.gz"])
def test_convert_there_and_back(run, tmp_path, name):
    graph = troth.generate("urand:6:weights=integer")
    troth.write(graph, tmp_path / "a.npz")
    assert run("convert", "a.npz", name).code == 0
    assert run("convert", name, "c.npz").code == 0
    back = troth.read(tmp_path / "c.npz")
    assert back.indices.tolist() == graph.indices.tolist()
    assert back.weights.tolist() == graph.weights.tolist()


def test_formats_by_name(run, tmp_path):
    assert run("generate", "path:4", "-o", "a", "--to", "metis").code == 0
    assert run("convert", "a", "b", "--from", "metis", "--to", "npz").code == 0
    assert troth.read(tmp_path / "b", format="npz").n_edges == 15


def test_convert_replaces_and_overwrites_itself(run, tmp_path):
    (tmp_path / "a.txt").write_text("0 1 2\n0 1 2\n")
    assert run("convert", "a.txt", "a.txt").code == 0
    assert troth.read(tmp_path / "a.txt").n_edges == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["generate", "a.txt", "-o", "b.npz"], ["a.txt", "troth convert"]),
        (["generate", "rmat:99", "-o", "b.npz"], ["rmat:99", "40"]),
        (["generate", "rmat:4", "-o", "b.mtxx"], ["b.mtxx", "did you mean '.mtx'", "--to"]),
        (["generate", "rmat:4", "-o", "b.npz", "--to", "mxt"], ["did you mean 'mtx'"]),
        (["generate", "rmat:4", "-o", "no/b.npz"], ["no/b.npz"]),
        (["convert", "a.txt", "."], ["."]),
        (["convert", "a.txt", "folder.npz"], ["folder.npz", "directory"]),
        (["convert", "no.txt", "b.npz"], ["no.txt"]),
        (["convert", "a.txt", "b.gr"], ["galois", "--to 'galois-float'"]),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(fails, tmp_path, args, words):
    (tmp_path / "a.txt").write_text("0 1 2.5\n")
    (tmp_path / "folder.npz").mkdir()
    before = sorted(tmp_path.iterdir())
    message = fails(*args)
    assert all(word in message for word in words), message
    assert sorted(tmp_path.iterdir()) == before


def test_a_full_disk_is_one_line_and_leaves_nothing(fails, tmp_path, monkeypatch):
    def full(*args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("troth.graph.formats.mtx.write", full)
    assert fails("generate", "path:4", "-o", "a.mtx") == "troth: a.mtx: no space left on device\n"
    assert not list(tmp_path.iterdir())
