"""The directory format: mapped, replaced only as a whole and only if ours, checked as far as constant time allows."""

import json
import os
import shutil

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import troth
from troth.graph.build import from_edges

GRAPH = from_edges([0, 1], [1, 2], np.array([3.5, 4.5]))


def test_directory_is_mapped_and_not_read(tmp_path):
    troth.write(GRAPH, tmp_path / "a.troth")
    graph = troth.read(tmp_path / "a.troth")
    for array in (graph.indptr, graph.indices, graph.weights):
        assert isinstance(array.base, np.memmap)
        assert not array.flags.writeable
    assert graph == GRAPH


def test_directory_replaces_itself(tmp_path):
    path = tmp_path / "a.troth"
    troth.write(GRAPH, path)
    graph = troth.read(path)
    troth.write(graph, path)
    assert graph == GRAPH  # what was mapped stays
    troth.write(troth.Graph(graph.indptr, graph.indices), path)
    assert troth.read(path).weights is None
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", [{}, {"notes.txt": "mine"}, {"meta.json": "{}"}])
def test_directory_of_others_is_not_replaced(content, tmp_path):
    path = tmp_path / "a.troth"
    path.mkdir()
    for name, text in content.items():
        (path / name).write_text(text)
    with pytest.raises(FileExistsError, match=r"a\.troth exists and is not what would be written there"):
        troth.write(GRAPH, path)
    assert {each.name for each in path.iterdir()} == set(content)


def test_directory_with_something_beside_is_not_replaced(tmp_path):
    troth.write(GRAPH, tmp_path / "a.troth")
    (tmp_path / "a.troth/notes.txt").write_text("mine")
    with pytest.raises(FileExistsError):
        troth.write(GRAPH, tmp_path / "a.troth")
    assert (tmp_path / "a.troth/notes.txt").read_text() == "mine"


@pytest.mark.parametrize("step", ["save", "rename"])
@pytest.mark.parametrize("existed", [False, True])
def test_a_failed_directory_changes_nothing(step, existed, tmp_path, monkeypatch):
    path = tmp_path / "a.troth"
    if existed:
        troth.write(GRAPH, path)

    def fail(*args):
        if step == "rename" and (failed or ".troth-" not in str(args[0])):
            return rename(*args)
        failed.append(args)
        raise KeyboardInterrupt

    rename, failed = os.rename, []
    monkeypatch.setattr("troth.graph.formats.directory.save" if step == "save" else "os.rename", fail)
    with pytest.raises(KeyboardInterrupt):
        troth.write(troth.Graph(GRAPH.indptr, GRAPH.indices), path)
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == [path] * existed
    assert not existed or troth.read(path) == GRAPH


# --- damage -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    graph = from_edges([0, 0, 1], [1, 3, 3], np.array([3.0, 5, 9]), n_vertices=5, labels=list("abcde"))
    troth.write(graph, tmp_path / "a.troth")
    return tmp_path / "a.troth"


@pytest.mark.parametrize("name", ["indptr", "indices", "weights", "labels"])
def test_directory_with_a_truncated_array(name, folder):
    content = (folder / f"{name}.npy").read_bytes()
    for length in range(0, len(content), 3):
        (folder / f"{name}.npy").write_bytes(content[:length])
        with pytest.raises(ValueError, match=rf"a\.troth/{name}\.npy is damaged"):
            troth.read(folder)
    (folder / f"{name}.npy").unlink()
    with pytest.raises(ValueError, match=rf"a\.troth has no {name}\.npy"):
        troth.read(folder)


def outcome(path):
    """The graph in a directory, or the sentence that says why there is none."""
    try:
        return troth.read(path)
    except ValueError as error:
        return str(error)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_directory_with_changed_bytes(data, folder):
    copy = folder.parent / "copy.troth"
    shutil.copytree(folder, copy, dirs_exist_ok=True)
    name = data.draw(st.sampled_from(sorted(each.name for each in folder.iterdir())))
    content = bytearray((folder / name).read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] = data.draw(st.integers(0, 255))
    (copy / name).write_bytes(content)
    found = outcome(copy)
    if isinstance(found, str):
        assert str(copy) in found
        assert "\n" not in found
    else:
        assert found.n_vertices == 5
        assert found.indices.size == 6


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": "other"}, "meta.json is damaged, or of another program"),
        ({"version": 2}, "meta.json is of version 2; this troth reads version 1"),
        ({"vertices": -1}, "'vertices' is -1"),
        ({"vertices": True}, "'vertices' is True"),
        ({"vertices": 10**30}, "'vertices' is 1000"),
        ({"vertices": 4}, r"indptr.npy holds int64 of shape \(6,\), but .* says int64 of shape \(5,\)"),
        ({"entries": 5}, "'entries' is 5"),
        ({"entries": 4}, "indices.npy holds int32 of shape"),
        ({"weights": "float32"}, "weights.npy holds float64"),
        ({"weights": "object"}, "'weights' is 'object'"),
        ({"labels": "int64"}, "labels.npy holds uint8"),
        ({"labels": []}, r"'labels' is \[\]"),
    ],
)
def test_directory_with_another_meta(change, sentence, folder):
    meta = json.loads((folder / "meta.json").read_text())
    (folder / "meta.json").write_text(json.dumps(meta | change))
    with pytest.raises(ValueError, match=sentence):
        troth.read(folder)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b"[" * 5000, b" " * 100_000])
def test_directory_with_a_damaged_meta(content, folder):
    (folder / "meta.json").write_bytes(content)
    with pytest.raises(ValueError, match="meta.json is damaged, or of another program"):
        troth.read(folder)


def test_directory_whose_offsets_end_elsewhere(folder):
    np.save(folder / "indptr.npy", np.array([0, 2, 4, 4, 6, 8]))
    with pytest.raises(ValueError, match=r"indptr\.npy runs from 0 to 8, not from 0 to 6"):
        troth.read(folder)
