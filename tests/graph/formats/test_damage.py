"""Truncated, changed and mislabelled files: a ValueError that names the file, or a graph; nothing else."""

import gzip
import re
import resource
import struct
import tracemalloc

import numpy as np
import pytest
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


@pytest.mark.parametrize("byte", [b"\0", b" ", b"1", b"#", b"\n", b"\xff"])
@pytest.mark.parametrize("name", [form.name for form in FILES])
def test_a_million_equal_bytes(name, byte, tmp_path):
    (tmp_path / "equal").write_bytes(byte * 10**6)
    assert assert_graph_or_sentence(tmp_path / "equal", name) is None


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
