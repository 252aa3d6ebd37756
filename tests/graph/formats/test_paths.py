"""Names, suffixes, places that are not there, and files that are whole or not there."""

import gzip
import os
import stat
import threading

import numpy as np
import pytest

import troth
from troth.graph.build import from_edges
from troth.graph.formats import FORMATS, find_format
from troth.graph.formats.atomic import atomic_path

GRAPH = from_edges([0, 1], [1, 2], np.array([3.5, 4.5]))


@pytest.mark.parametrize(
    ("name", "form"),
    [("a.mtx", "mtx"), ("A.B.MTX.GZ", "mtx"), ("x.graph.bz2", "metis"), ("x.wel", "edges"), ("x.troth", "troth")],
)
def test_format_by_suffix(name, form, tmp_path):
    assert find_format(tmp_path / name).name == form


def test_a_suffix_means_one_format():
    suffixes = [suffix for form in FORMATS.values() for suffix in form.suffixes]
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize(
    ("name", "form", "sentence"),
    [
        ("a.mtz", None, r"a\.mtz: unknown suffix '\.mtz': did you mean '\.mtx'\? valid are .*; or give format="),
        ("a.mtz.gz", None, r"unknown suffix '\.mtz'"),
        ("a", None, "a: the name has no suffix that tells the format; give format="),
        ("a.gz", None, "the name has no suffix that tells the format"),
        ("a.npz.gz", None, r"a\.npz\.gz: only text formats are read and written compressed; use \.npz without \.gz"),
        ("a.mtx", "mtxx", "unknown format 'mtxx': did you mean 'mtx'"),
    ],
)
def test_unknown_formats(name, form, sentence, tmp_path):
    (tmp_path / name).write_text("0 1\n")
    with pytest.raises(ValueError, match=sentence):
        troth.read(tmp_path / name, format=form)
    (tmp_path / name).unlink()
    with pytest.raises(ValueError, match=sentence):
        troth.write(GRAPH, tmp_path / name, format=form)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_to_read(form, tmp_path):
    with pytest.raises(FileNotFoundError, match="none does not exist"):
        troth.read(tmp_path / "none", format=form)
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").touch()
    if FORMATS[form].is_directory:
        with pytest.raises(ValueError, match=r"folder has no meta\.json"):
            troth.read(tmp_path / "folder", format=form)
        with pytest.raises(NotADirectoryError, match="empty is not a directory"):
            troth.read(tmp_path / "empty", format=form)
        return
    with pytest.raises(IsADirectoryError, match="folder is a directory"):
        troth.read(tmp_path / "folder", format=form)
    with pytest.raises(ValueError, match="empty is empty"):
        troth.read(tmp_path / "empty", format=form)


@pytest.mark.parametrize("form", ["npz", "edges", "troth"])
def test_nowhere_to_write(form, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"x cannot be written: there is no directory .*none"):
        troth.write(GRAPH, tmp_path / "none" / "x", format=form)
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder (is a directory|exists and is not what would be written)"):
        troth.write(GRAPH, tmp_path / "folder", format=form)
    assert list((tmp_path / "folder").iterdir()) == []


def test_only_graphs_are_written(tmp_path):
    with pytest.raises(ValueError, match="write takes a troth.Graph, not csr_array"):
        troth.write(GRAPH.to_scipy(), tmp_path / "a.mtx")


@pytest.mark.parametrize("threads", [0, -1, 1.5])
def test_threads(threads, tmp_path):
    troth.write(GRAPH, tmp_path / "a.txt")
    with pytest.raises(ValueError, match="threads is"):
        troth.read(tmp_path / "a.txt", threads=threads)


@pytest.mark.parametrize("form", [form.name for form in FORMATS.values() if form.name != "galois-float"])
def test_progress_is_told(form, tmp_path):
    graph = troth.Graph(GRAPH.indptr, GRAPH.indices)
    told = []
    troth.write(graph, tmp_path / "graph", format=form)
    troth.read(tmp_path / "graph", format=form, progress=told.append)
    assert all(0 <= each.done <= each.total for each in told)


@pytest.mark.parametrize("suffix", [".txt.gz", ".npz", ".bin", ".parquet"])
def test_an_interrupt_leaves_the_report(suffix, tmp_path):
    def interrupt(_):
        raise KeyboardInterrupt

    troth.write(from_edges(np.arange(10**5), np.arange(1, 10**5 + 1), np.ones(10**5)), tmp_path / f"a{suffix}")
    with pytest.raises(KeyboardInterrupt):
        troth.read(tmp_path / f"a{suffix}", progress=interrupt)


# --- whole or not there ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, SystemExit])
@pytest.mark.parametrize("existed", [False, True])
def test_a_failed_write_changes_nothing(error, existed, tmp_path):
    path = tmp_path / "a.b.txt"
    if existed:
        path.write_text("old")

    def half():
        with atomic_path(path) as temporary:
            assert temporary.parent == tmp_path
            assert temporary.name.endswith(".b.txt")
            temporary.write_text("half")
            raise error

    with pytest.raises(error):
        half()
    assert [each.name for each in tmp_path.iterdir()] == ["a.b.txt"] * existed
    assert not existed or path.read_text() == "old"


def test_a_write_replaces(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with atomic_path(path) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_followed(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link.txt").symlink_to("there/a.txt")
    troth.write(GRAPH, tmp_path / "link.txt")
    assert (tmp_path / "link.txt").is_symlink()
    assert troth.read(tmp_path / "there/a.txt") == GRAPH


@pytest.mark.parametrize("form", ["edges", "metis", "mtx"])
def test_a_pipe_is_written_and_read(form, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=troth.write, args=(GRAPH, pipe), kwargs={"format": form})
    writer.start()
    assert troth.read(pipe, format=form) == GRAPH
    writer.join()
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("form", ["gap", "galois", "vite", "npz", "parquet"])
def test_a_pipe_holds_no_binary(form, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="pipe is not a plain file"):
        troth.read(tmp_path / "pipe", format=form)


def test_the_same_graph_makes_the_same_bytes(tmp_path, monkeypatch):
    seconds = iter(range(10**9, 2 * 10**9))
    monkeypatch.setattr("time.time", lambda: next(seconds))
    for name in ("a.txt.gz", "b.txt.gz"):
        troth.write(GRAPH, tmp_path / name)
    assert (tmp_path / "a.txt.gz").read_bytes() == (tmp_path / "b.txt.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.txt.gz").read_bytes()).startswith(b"# troth edge list: 3 vertices, 2 edges")
