"""NumPy archives (.npz): the arrays indptr, indices, weights and labels of a Graph, not compressed.

Archives of scipy.sparse.save_npz are read too, in CSR, CSC and COO, compressed or not.
"""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import Graph
from troth.graph.formats.contents import Contents, Entries, Rows, check_vertices
from troth.graph.formats.files import check_plain
from troth.graph.formats.labels import label_array, labels_of
from troth.graph.formats.npy import read_header
from troth.memory import require_memory
from troth.progress import Reporter, stage

_BLOCK = 1 << 24
_DEFLATED = 1032  # bytes that deflate can make of one
_NAMES = ("indptr", "indices", "weights", "labels", "format", "shape", "data", "row", "col")


def read(path: Path, threads: int, progress: Reporter | None) -> Contents:
    size = check_plain(path)
    with open(path, "rb") as file:
        report = stage(progress, f"read {path.name}", size)
        try:
            with zipfile.ZipFile(file) as archive:
                arrays: dict[str, NDArray[Any]] = {}
                for member in archive.infolist():
                    name = member.filename.removesuffix(".npy")
                    if name in _NAMES:
                        arrays[name] = _array(archive, member, size)
                    if report:
                        report(file.tell())
            return _matrix(path, arrays) if "format" in arrays else _graph(arrays)
        except MemoryError:
            raise
        except KeyError as error:
            found = ", ".join(arrays) or "nothing"
            raise ValueError(f"{path} lacks the array {error.args[0]!r}; of a graph it holds {found}") from None
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        except Exception as error:  # zipfile and its decompressors report damage in many ways
            raise ValueError(f"{path} is not a whole .npz archive: {error}") from None


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo, archive_size: int) -> NDArray[Any]:
    """One array. What sizes the archive tells are compared with its own, for they too may be damaged."""
    if member.file_size > min(member.compress_size, archive_size) * _DEFLATED + _DEFLATED:
        raise ValueError(f"{member.filename} cannot have {member.file_size} bytes; the file is truncated or damaged")
    with archive.open(member) as file:
        try:
            dtype, shape = read_header(file, member.file_size)
        except ValueError as error:
            raise ValueError(f"{member.filename} is damaged: {error}") from None
        require_memory(member.file_size, f"reading {member.filename}")
        array = np.empty(shape, dtype)
        into = memoryview(array.reshape(-1).view(np.uint8))
        done = 0
        while done < into.nbytes and (got := file.readinto(into[done : done + _BLOCK])):  # type: ignore[attr-defined]
            done += got
        if done < into.nbytes or file.read(1):
            raise ValueError(f"{member.filename} is truncated")
    return array


def _graph(arrays: dict[str, NDArray[Any]]) -> Rows:
    indptr, indices = _vector(arrays, "indptr", "iu"), _vector(arrays, "indices", "iu")
    weights = _vector(arrays, "weights", "biuf") if "weights" in arrays else None
    return Rows(indptr, indices, weights, labels_of(arrays.get("labels"), indptr.size - 1))


def _matrix(path: Path, arrays: dict[str, NDArray[Any]]) -> Contents:
    layout = arrays["format"].reshape(-1)[:1].astype("U").tolist()
    shape = _vector(arrays, "shape", "iu").tolist()
    if layout not in (["csr"], ["csc"], ["coo"]):
        raise ValueError(f"the format of the SciPy matrix is {''.join(layout)!r}; save it as csr, csc or coo")
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(f"the matrix is {' x '.join(map(str, shape))}; a graph needs as many columns as rows")
    n, data = shape[0], _vector(arrays, "data", "biuf")
    if layout == ["coo"]:
        check_vertices(path, n, data.nbytes)
        return Entries(_vector(arrays, "row", "iu"), _vector(arrays, "col", "iu"), data, n)
    indptr = _vector(arrays, "indptr", "iu")
    if indptr.size != n + 1:
        raise ValueError(f"indptr has {indptr.size} numbers for {n} rows; the file is damaged")
    # The columns of a CSC matrix are rows of its transpose, which is the same matrix if this is a graph.
    return Rows(indptr, _vector(arrays, "indices", "iu"), data)


def _vector(arrays: dict[str, NDArray[Any]], name: str, kinds: str) -> NDArray[Any]:
    array = arrays[name]
    if array.ndim != 1 or (array.dtype.kind not in kinds and array.size):
        raise ValueError(f"{name} is {array.ndim}-dimensional of {array.dtype}, and cannot be so in a graph")
    return array


def write(graph: Graph, path: Path) -> None:
    arrays = {"indptr": graph.indptr, "indices": graph.indices, "weights": graph.weights, "labels": label_array(graph)}
    present: dict[str, Any] = {name: array for name, array in arrays.items() if array is not None}
    with open(path, "wb") as file:
        np.savez(file, **present)
