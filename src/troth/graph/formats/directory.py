"""troth's own format: a directory of .npy files and meta.json, opened memory-mapped in no time at any size.

What is opened was checked when it was written, so only what takes constant time is checked here: that the files are of
the types, shapes and sizes that meta.json says, and that indptr begins and ends as it must.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import INT32_VERTICES, WEIGHT_DTYPES, Graph
from troth.graph.formats.atomic import atomic_directory
from troth.graph.formats.contents import Rows
from troth.graph.formats.labels import label_array, labels_of
from troth.graph.formats.npy import read_header, save
from troth.progress import Reporter

_VERSION = 1
_META = "meta.json"
_ARRAYS = ("indptr", "indices", "weights", "labels")
_META_BYTES = 1 << 16


def read(path: Path, threads: int, progress: Reporter | None) -> Rows:
    indptr, indices, weights = map_rows(path)
    meta = _meta(path)
    labels = None if meta["labels"] is None else _open(path, "labels", meta["labels"], None)
    try:
        return Rows(indptr, indices, weights, labels_of(labels, meta["vertices"]), checked=True)
    except ValueError as error:
        raise ValueError(f"{path / 'labels.npy'}: {error}") from None


def map_rows(path: Path) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """indptr, indices and weights, mapped and not read."""
    meta = _meta(path)
    n, entries = meta["vertices"], meta["entries"]
    indptr = _open(path, "indptr", "int64", n + 1)
    indices = _open(path, "indices", "int32" if n <= INT32_VERTICES else "int64", entries)
    weights = None if meta["weights"] is None else _open(path, "weights", meta["weights"], entries)
    if indptr[0] != 0 or indptr[-1] != entries:
        raise ValueError(
            f"{path / 'indptr.npy'} runs from {indptr[0]} to {indptr[-1]}, not from 0 to {entries}; it is damaged"
        )
    return indptr, indices, weights


def _meta(path: Path) -> dict[str, Any]:
    """The contents of meta.json, of the types they must have."""
    file = path / _META
    if not file.is_file():
        raise ValueError(f"{path} has no {_META}; it is not a graph directory of troth")
    meta = _parsed(file)
    if meta is None or meta.get("format") != "troth":
        raise ValueError(f"{file} is damaged, or of another program")
    if meta.get("version") != _VERSION:
        raise ValueError(f"{file} is of version {meta.get('version')!r}; this troth reads version {_VERSION}")
    for name, fine in (
        ("vertices", _is_count(meta.get("vertices"))),
        ("entries", _is_count(meta.get("entries")) and meta["entries"] % 2 == 0),
        ("weights", meta.get("weights", "") in (None, *WEIGHT_DTYPES)),
        ("labels", meta.get("labels", "") in (None, "int64", "uint8")),
    ):
        if not fine:
            raise ValueError(f"{file}: {name!r} is {meta.get(name)!r}, which cannot be; the file is damaged")
    return meta


def _parsed(file: Path) -> dict[str, Any] | None:
    if file.stat().st_size > _META_BYTES:
        return None
    try:
        meta = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        return None
    return meta if isinstance(meta, dict) else None


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**62


def _open(path: Path, name: str, dtype: str, size: int | None) -> NDArray[Any]:
    """Map one array; ValueError unless it has this type and size (any size for None)."""
    place = path / f"{name}.npy"
    if not place.is_file():
        raise ValueError(f"{path} has no {place.name}; it is damaged")
    with open(place, "rb") as file:
        try:
            found, shape = read_header(file, place.stat().st_size)
        except ValueError as error:
            raise ValueError(f"{place} is damaged: {error}") from None
        if found != np.dtype(dtype) or len(shape) != 1 or size not in (None, shape[0]):
            raise ValueError(
                f"{place} holds {found} of shape {shape}, but {path / _META} says {dtype} of shape ({size},)"
            )
        if shape[0] == 0:
            return np.empty(0, found)  # no system maps nothing
        return np.memmap(file, found, "r", file.tell(), shape)


def write(graph: Graph, path: Path) -> None:
    labels = label_array(graph)
    arrays = dict(zip(_ARRAYS, (graph.indptr, graph.indices, graph.weights, labels), strict=True))
    meta = {
        "format": "troth",
        "version": _VERSION,
        "vertices": graph.n_vertices,
        "entries": graph.indices.size,
        "weights": None if graph.weights is None else str(graph.weights.dtype),
        "labels": None if labels is None else str(labels.dtype),
    }
    with atomic_directory(path, _is_ours) as temporary:
        for name, array in arrays.items():
            if array is not None:
                save(temporary / f"{name}.npy", array)
        (temporary / _META).write_text(json.dumps(meta, indent=2) + "\n")


def _is_ours(path: Path) -> bool:
    """Whether a directory was written by `write` and nothing was put beside."""
    meta = _parsed(path / _META) if (path / _META).is_file() else None
    ours = {_META, *(f"{name}.npy" for name in _ARRAYS)}
    return meta is not None and meta.get("format") == "troth" and {each.name for each in path.iterdir()} <= ours
