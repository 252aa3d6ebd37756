"""Labels of vertices as one array, for the formats that keep them: int64, or the JSON of a list of strings as bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import Graph


def label_array(graph: Graph) -> NDArray[Any] | None:
    """The labels to store; None when there are none, or not all are integers (int64) or all strings."""
    if graph.labels is None:
        return None
    ids = _integers(graph.labels)
    if ids is not None:
        return ids
    if all(isinstance(label, str) for label in graph.labels):
        # Escaped, so that any Python string survives, also one that is not Unicode text.
        return np.frombuffer(json.dumps([str(label) for label in graph.labels]).encode(), np.uint8)
    return None


def labels_of(array: NDArray[Any] | None, n_vertices: int) -> Sequence[Any] | None:
    """The labels stored as this array; ValueError when it holds none for so many vertices."""
    if array is None:
        return None
    labels: Any = array
    if array.dtype == np.uint8:
        try:
            labels = json.loads(array.tobytes())
        except (ValueError, RecursionError):
            labels = None
        if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
            raise ValueError("the labels are not a JSON list of strings; the file is damaged")
    elif array.dtype != np.int64 or array.ndim != 1:
        raise ValueError(
            f"the labels are {array.ndim}-dimensional {array.dtype}; they must be a list of int64, or JSON"
        )
    if len(labels) != n_vertices:
        raise ValueError(f"there are {len(labels)} labels for {n_vertices} vertices; the file is damaged")
    return cast("Sequence[Any]", labels)


def label_ids(graph: Graph) -> NDArray[np.int64] | None:
    """The labels where they can stand for vertices in a list of edges: different integers from 0."""
    ids = None if graph.labels is None else _integers(graph.labels)
    if ids is None or (ids < 0).any() or np.unique(ids).size < ids.size:
        return None
    return ids


def _integers(labels: Any) -> NDArray[np.int64] | None:
    if isinstance(labels, np.ndarray):
        return labels.astype(np.int64) if np.can_cast(labels.dtype, np.int64) and labels.dtype.kind in "iu" else None
    if not all(isinstance(label, int | np.integer) and not isinstance(label, bool) for label in labels):
        return None
    try:
        return np.array(labels, np.int64)
    except OverflowError:
        return None
