"""Truncated, changed and mislabelled files: a ValueError that names the file, or a graph; nothing else."""

import gzip
import io
import json
import re
import resource
import shutil
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import troth
from troth.graph.build import from_edges
from troth.graph.formats import FORMATS

FILES = [form for form in FORMATS.values() if not form.is_directory]
BINARY = [form.name for form in FILES if not form.is_text]
WEIGHTS = {"galois": np.int32, "galois-int": np.int64, "gap": np.int32, "vite32": np.float32}
ENOUGH = 64 << 20  # bytes, far more than any of these files needs


def tiny(name):
    weights = np.array([3, 5, 9], WEIGHTS.get(name, np.float64))
    return from_edges([0, 0, 1], [1, 3, 3], weights, n_vertices=5)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a tiny graph in each format."""
    folder = tmp_path_factory.mktemp("whole")
    for form in FILES:
        troth.write(tiny(form.name), folder / form.name, format=form.name)
    return {form.name: (folder / form.name).read_bytes() for form in FILES}


def outcome(path, name):
    """The graph in a file, or the sentence that says why there is none."""
    try:
        return troth.read(path, format=name, threads=1)
    except ValueError as error:
        return str(error)


def assert_graph_or_sentence(path, name):
    """The graph if the file still holds one, or None for a proper sentence."""
    found = outcome(path, name)
    if isinstance(found, str):
        assert str(path) in found
        assert "\n" not in found
        return None
    troth.Graph.from_csr(found.indptr, found.indices, found.weights)
    return found


@pytest.mark.parametrize("name", BINARY)
def test_truncated_at_every_length(name, whole, tmp_path):
    content, path = whole[name], tmp_path / "cut"
    lengths = range(len(content)) if len(content) < 500 else range(0, len(content), 7)
    for length in lengths:
        path.write_bytes(content[:length])
        graph = assert_graph_or_sentence(path, name)
        assert graph is None or graph == tiny(name), length


@pytest.mark.parametrize("name", ["gap", "galois", "vite", "vite32"])
def test_truncated_within_the_header(name, whole, tmp_path):
    (tmp_path / "cut").write_bytes(whole[name][:7])
    with pytest.raises(ValueError, match="cut ends within its header: it has 7 bytes"):
        troth.read(tmp_path / "cut", format=name)


@pytest.mark.parametrize("name", [form.name for form in FILES if form.is_text])
def test_text_without_its_last_line(name, whole, tmp_path):
    lines = whole[name].splitlines(keepends=True)
    for kept in range(len(lines)):
        (tmp_path / "cut").write_bytes(b"".join(lines[:kept]))
        assert assert_graph_or_sentence(tmp_path / "cut", name) is None


@pytest.mark.parametrize("name", [form.name for form in FILES])
def test_too_long(name, whole, tmp_path):
    (tmp_path / "long").write_bytes(whole[name] + b"\x01")
    graph = assert_graph_or_sentence(tmp_path / "long", name)
    assert graph is None or graph == tiny(name)


@pytest.mark.parametrize("name", [form.name for form in FILES])
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_changed_bytes(name, data, whole, tmp_path):
    content = bytearray(whole[name])
    places = st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255))
    for at, byte in data.draw(st.lists(places, min_size=1, max_size=4)):
        content[at] = byte
    (tmp_path / "changed").write_bytes(content)
    assert_graph_or_sentence(tmp_path / "changed", name)


@pytest.mark.parametrize("name", [form.name for form in FILES])
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(min_size=1, max_size=200))
def test_any_bytes(name, content, tmp_path):
    (tmp_path / "any").write_bytes(content)
    assert_graph_or_sentence(tmp_path / "any", name)


@pytest.mark.parametrize("written", [form.name for form in FILES])
@pytest.mark.parametrize("read", [form.name for form in FILES])
def test_mislabelled(read, written, whole, tmp_path):
    """A file of one format under the name of another is refused, or is the same graph."""
    (tmp_path / "other").write_bytes(whole[written])
    graph = assert_graph_or_sentence(tmp_path / "other", read)
    if graph is not None and {read, written} != {"galois-float", "galois-int"}:
        np.testing.assert_array_equal(graph.indices, tiny(written).indices)


HUGE = 2**40
OVERSIZED = {
    "gap": [struct.pack("<?qq", 0, HUGE, 4), struct.pack("<?qq", 0, 6, 2**31 - 1), struct.pack("<?qq", 1, -1, -1)],
    "galois": [struct.pack("<4Q", *sizes) for sizes in ((1, 0, HUGE, 6), (2, 4, 4, HUGE), (1, 4, 4, 2**64 - 1))],
    "vite": [struct.pack("<2q", HUGE, 6), struct.pack("<2q", 4, HUGE), struct.pack("<2q", -HUGE, 2)],
    "vite32": [struct.pack("<2i", 2**31 - 1, 6), struct.pack("<2i", 4, 2**31 - 1), struct.pack("<2i", -4, 6)],
    "metis": [b"%d 6\n2\n1\n" % HUGE, b"2 %d\n2\n1\n" % HUGE, b"2 1 10 %d\n2\n1\n" % HUGE],
    "mtx": [b"%%%%MatrixMarket matrix coordinate pattern symmetric\n%s\n2 1\n" % sizes for sizes in
            (b"%d %d 1" % (HUGE, HUGE), b"2 2 %d" % HUGE)],
    "edges": [b"# troth edge list: %d vertices, %d edges\n0 1\n" % sizes for sizes in ((HUGE, 1), (4, HUGE))],
}  # fmt: skip


@pytest.mark.parametrize(("name", "content"), [(name, each) for name, list_ in OVERSIZED.items() for each in list_])
def test_counts_that_the_file_cannot_hold(name, content, tmp_path):
    path = tmp_path / "huge"
    path.write_bytes(content + (b"" if FORMATS[name].is_text else bytes(100)))
    tracemalloc.start()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ValueError, match=re.escape(str(path))):
        troth.read(path, format=name)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < ENOUGH
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < ENOUGH // 1024


def test_neighbours_beyond_the_vertices(tmp_path):
    """Such as would be right again if they were cut to 32 bits."""
    records = b"".join(struct.pack("<qd", 2**32 + v, 1.0) for v in (1, 0))
    (tmp_path / "a.bin").write_bytes(struct.pack("<2q3q", 2, 2, 0, 1, 2) + records)
    with pytest.raises(ValueError, match=r"a\.bin: entry 0 is vertex 4294967297, but there are 2"):
        troth.read(tmp_path / "a.bin")


def npy(header):
    text = str(header).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + bytes(80)


def archive(**members):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(f"{name}.npy", data)
    return content.getvalue()


@pytest.mark.parametrize(
    "header",
    [
        {"descr": "<i8", "fortran_order": False, "shape": (HUGE,)},
        {"descr": "<i8", "fortran_order": False, "shape": (-10,)},
        {"descr": "|O", "fortran_order": False, "shape": (10,)},
        {"descr": "<M8[s]", "fortran_order": False, "shape": (10,)},
        {"descr": "|V0", "fortran_order": False, "shape": (10,)},
        {"descr": [("a", "<i8")], "fortran_order": False, "shape": (10,)},
        {"descr": "<i8", "shape": (10,)},
        "import os",
        "(" * 500,
    ],
    ids=str,
)
def test_headers_of_arrays(header, tmp_path):
    (tmp_path / "a.npz").write_bytes(archive(indptr=npy(header), indices=npy(header)))
    with pytest.raises(ValueError, match=r"a\.npz: indptr\.npy is damaged"):
        troth.read(tmp_path / "a.npz")


def test_an_archive_that_lies_about_a_size(tmp_path):
    data = npy({"descr": "<i8", "fortran_order": False, "shape": (HUGE,)})
    content = archive(indptr=data)
    # The sizes stand in the entry and in the directory at the end; make both so large that the header is believed.
    lie = struct.pack("<I", 2**32 - 2)
    (tmp_path / "a.npz").write_bytes(content.replace(struct.pack("<I", len(data)), lie))
    with pytest.raises(ValueError, match=r"a\.npz: indptr\.npy cannot have 4294967294 bytes"):
        troth.read(tmp_path / "a.npz")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"indptr": np.array([0, 2, 1, 6])}, "indptr falls from 2 to 1 at row 1"),
        ({"indptr": np.array([0, 2, 4, 5])}, "indptr ends with 5 but there are 6 indices"),
        ({"indptr": np.array([], np.int64)}, "indptr is empty"),
        ({"indptr": np.zeros((2, 2), np.int64)}, "indptr is 2-dimensional of int64"),
        ({"indices": np.array([1, 2, 0, 2, 0, 7])}, "row 2 holds column 7"),
        ({"indices": np.array([1, 2, 0, 2, 0, -1])}, "row 2 holds column -1"),
        ({"indices": np.ones(6)}, "indices is 1-dimensional of float64"),
        ({"weights": np.ones(5)}, "there are 5 weights for 6 entries"),
        ({"weights": np.ones(6, complex)}, "weights.npy is damaged: it is an array of complex128"),
        ({"weights": np.full(6, np.nan)}, r"weight of edge \(0, 1\) is NaN"),
        ({"labels": np.array([1, 2])}, "there are 2 labels for 3 vertices"),
        ({"labels": np.array([1.0, 2, 3])}, "the labels are 1-dimensional float64"),
        ({"labels": np.frombuffer(b'["a", 1, "b"]', np.uint8)}, "the labels are not a JSON list of strings"),
        ({"labels": np.frombuffer(b"[" * 9999, np.uint8)}, "the labels are not a JSON list of strings"),
    ],
)
def test_arrays_that_are_no_graph(change, sentence, tmp_path):
    triangle = {"indptr": np.array([0, 2, 4, 6]), "indices": np.array([1, 2, 0, 2, 0, 1]), "weights": np.ones(6)}
    np.savez(tmp_path / "a.npz", **(triangle | change))
    with pytest.raises(ValueError, match=rf"a\.npz: {sentence}"):
        troth.read(tmp_path / "a.npz")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"indptr": np.array([0, 2, 4])}, "indptr has 3 numbers for 3 rows"),
        ({"shape": np.array([3])}, "the matrix is 3; a graph needs"),
        ({"shape": np.array([3.0, 3.0])}, "shape is 1-dimensional of float64"),
        ({"format": np.array(b"xyz")}, "the format of the SciPy matrix is 'xyz'"),
        ({"format": np.array(3)}, "the format of the SciPy matrix is '3'"),
    ],
)
def test_archives_of_scipy_that_are_no_graph(change, sentence, tmp_path):
    sp.save_npz(tmp_path / "whole.npz", sp.csr_array(np.ones((3, 3)) - np.eye(3)))
    np.savez(tmp_path / "a.npz", **(dict(np.load(tmp_path / "whole.npz")) | change))
    with pytest.raises(ValueError, match=rf"a\.npz: {sentence}"):
        troth.read(tmp_path / "a.npz")


@pytest.mark.parametrize("suffix", [".txt", ".txt.gz", ".graph", ".bin", ".npz"])
def test_a_file_larger_than_the_memory(suffix, tmp_path, monkeypatch):
    path = tmp_path / f"a{suffix}"
    troth.write(tiny("vite"), path)
    monkeypatch.setattr("troth.memory.free_memory", lambda: 20)
    with pytest.raises(ValueError, match=rf"a{suffix}.* needs about .* GB"):
        troth.read(path)


@pytest.mark.parametrize("keep", [1, 2, 5, 12, -9, -1])
def test_truncated_gzip(keep, tmp_path):
    packed = gzip.compress(b"0 1\n" * 1000)
    (tmp_path / "a.txt.gz").write_bytes(packed[:keep])
    with pytest.raises(ValueError, match=r"a\.txt\.gz is (a truncated or damaged gzip file|not packed as its suffix)"):
        troth.read(tmp_path / "a.txt.gz")


@pytest.mark.parametrize("name", ["a.txt.gz", "a.graph.bz2"])
def test_not_packed(name, tmp_path):
    (tmp_path / name).write_text("0 1\n")
    with pytest.raises(ValueError, match=f"{name} is not packed as its suffix .{name.rsplit('.')[-1]}"):
        troth.read(tmp_path / name)


@pytest.fixture
def folder(tmp_path):
    graph = tiny("npz")
    troth.write(troth.Graph(graph.indptr, graph.indices, graph.weights, list("abcde")), tmp_path / "a.troth")
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
    found = outcome(copy, "troth")
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
