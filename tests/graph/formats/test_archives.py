"""NumPy archives, ours and those of SciPy: what they hold, and what they pretend to hold."""

import io
import json
import struct
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp

import troth

HUGE = 2**40
INDPTR, INDICES, WEIGHTS = [0, 2, 4, 4, 6], [1, 3, 0, 3, 0, 1], [2, 7, 2, 9, 7, 9]  # vertex 2 has no edges


def example(dtype=None):
    weights = None if dtype is None else np.array(WEIGHTS, dtype)
    return troth.Graph(np.array(INDPTR), np.array(INDICES, np.int32), weights)


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("compressed", [False, True])
def test_archives_of_scipy(form, compressed, tmp_path):
    matrix = example(np.float64).to_scipy().asformat(form)
    sp.save_npz(tmp_path / "a.npz", matrix, compressed=compressed)
    assert troth.read(tmp_path / "a.npz") == example(np.float64)


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        (sp.dia_array(np.eye(3)), "the format of the SciPy matrix is 'dia'; save it as csr, csc or coo"),
        (sp.csr_array(np.ones((2, 3))), "the matrix is 2 x 3; a graph needs as many columns as rows"),
        (sp.csr_array(np.array([[0, 1j], [1j, 0]])), "data.*complex128"),
        (sp.csr_array(np.array([[0, 1], [0, 0]])), "row 0 holds column 1 but row 1 does not hold column 0"),
    ],
)
def test_what_an_archive_of_scipy_may_not_hold(matrix, sentence, tmp_path):
    sp.save_npz(tmp_path / "a.npz", matrix)
    with pytest.raises(ValueError, match=rf"a\.npz\b.*{sentence}"):
        troth.read(tmp_path / "a.npz")


def test_an_archive_of_other_things(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.arange(3), indptr=np.arange(3))
    with pytest.raises(ValueError, match=r"a\.npz lacks the array 'indices'; of a graph it holds indptr"):
        troth.read(tmp_path / "a.npz")


def test_npz_and_directory_hold_plain_arrays(tmp_path):
    troth.write(example(np.int32), tmp_path / "a.npz")
    troth.write(example(np.int32), tmp_path / "a.troth")
    archive = np.load(tmp_path / "a.npz")
    for name, expected in (("indptr", INDPTR), ("indices", INDICES), ("weights", WEIGHTS)):
        assert archive[name].tolist() == expected
        assert np.load(tmp_path / f"a.troth/{name}.npy").tolist() == expected
    meta = json.loads((tmp_path / "a.troth/meta.json").read_text())
    assert meta == {"format": "troth", "version": 1, "vertices": 4, "entries": 6, "weights": "int32", "labels": None}


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
