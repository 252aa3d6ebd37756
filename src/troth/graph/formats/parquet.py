"""Parquet tables of edges: two columns of vertex ids, and perhaps one of weights. Needs pyarrow.

Columns are taken by name (u, v or source, target or src, dst), else the first two of integers; weights from a column
named weight or w. Edges and ids mean what they mean in edge lists (edges.py). Written are u, v and weight, and in the
metadata of the table the number of vertices, or that ids are labels.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from troth.graph.csr import Graph
from troth.graph.formats.contents import Edges, check_vertices, compact
from troth.graph.formats.files import check_plain
from troth.graph.formats.labels import label_ids
from troth.graph.formats.output import edge_blocks
from troth.progress import Reporter, stage

_ENDS = (("u", "v"), ("source", "target"), ("src", "dst"))
_WEIGHTS = ("weight", "w")
_KEY = b"troth"


def read(path: Path, threads: int, progress: Reporter | None) -> Edges:
    arrow, parquet = _pyarrow()
    size = check_plain(path)
    with open(path, "rb") as file:
        try:
            table = parquet.ParquetFile(file)
            names = _columns(path, table.schema_arrow, arrow.types)
            columns = _load(path, table, names, progress)
            said = json.loads((table.schema_arrow.metadata or {}).get(_KEY, b"{}"))
        except (arrow.ArrowException, OSError, UnicodeError, json.JSONDecodeError) as error:
            raise ValueError(f"{path} is not a whole Parquet file: {' '.join(str(error).split())}") from None
    u, v = (_ids(path, name, column) for name, column in zip(names, columns[:2], strict=False))
    weights = columns[2] if len(columns) > 2 else None
    vertices = said.get("vertices") if isinstance(said, dict) else None
    if isinstance(vertices, int):
        check_vertices(path, vertices, size)
        return Edges(u, v, weights, vertices, place="row {}".format)
    u, v, n, labels = compact(u, v, always=bool(said))
    return Edges(u, v, weights, n, labels, place="row {}".format)


def _columns(path: Path, schema: Any, types: Any) -> list[str]:
    """The names of the columns of ends and, if there is one, weights."""
    integers = [field.name for field in schema if types.is_integer(field.type)]
    ends = next((pair for pair in _ENDS if set(pair) <= set(schema.names)), tuple(integers[:2]))
    if len(ends) < 2 or not set(ends) <= set(integers):
        raise ValueError(
            f"{path} has the columns {', '.join(schema.names) or 'none'}; two of integers must be the ends of edges"
        )
    names = [*ends, *[name for name in _WEIGHTS if name in schema.names and name not in ends][:1]]
    for name in names:
        if schema.names.count(name) > 1:
            raise ValueError(f"{path} has more than one column {name!r}")
        kind = schema.field(name).type
        if not (types.is_integer(kind) or types.is_floating(kind)):
            raise ValueError(f"{path}: the column {name!r} is of type {kind}; weights are integers or floats")
    return names


def _load(path: Path, table: Any, names: list[str], progress: Reporter | None) -> list[NDArray[Any]]:
    """The columns, a row group at a time."""
    groups = table.num_row_groups
    report = stage(progress, f"read {path.name}", groups)
    parts: list[list[NDArray[Any]]] = [[] for _ in names]
    for group in range(groups):
        for name, into, column in zip(names, parts, table.read_row_group(group, names).columns, strict=True):
            if column.null_count:
                raise ValueError(f"{path}: the column {name!r} has {column.null_count} nulls; every edge needs a value")
            into.append(column.to_numpy())
        if report:
            report(group + 1)
    return [np.concatenate(into) if into else np.empty(0, np.int64) for into in parts]


def _ids(path: Path, name: str, column: NDArray[Any]) -> NDArray[np.int64]:
    if column.size and (column.min() < 0 or int(column.max()) >= 2**63):
        k = int(np.argmax((column < 0) | (column > np.iinfo(np.int64).max)))
        raise ValueError(
            f"{path}, row {k}: {column[k]} in {name!r} is not a vertex id, a whole number from 0 to 2**63 - 1"
        )
    return column.astype(np.int64, copy=False)


def write(graph: Graph, path: Path) -> None:
    arrow, parquet = _pyarrow()
    ids = label_ids(graph)
    end_type = arrow.from_numpy_dtype(graph.indices.dtype if ids is None else ids.dtype)
    fields = [("u", end_type), ("v", end_type)]
    if graph.weights is not None:
        fields.append(("weight", arrow.from_numpy_dtype(graph.weights.dtype)))
    said = {"vertices": graph.n_vertices} if ids is None else {"labels": True}
    schema = arrow.schema(fields, {_KEY: json.dumps(said)})
    with parquet.ParquetWriter(path, schema) as writer:
        for u, v, weights in edge_blocks(graph):
            columns = [u, v] if ids is None else [ids[u], ids[v]]
            columns += [] if weights is None else [weights]
            writer.write_table(arrow.table(columns, schema=schema))


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ImportError("reading and writing Parquet needs pyarrow: pip install 'troth[parquet]'") from None
    return pyarrow, pyarrow.parquet
