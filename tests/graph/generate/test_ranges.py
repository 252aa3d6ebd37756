"""Families that write rows directly: the rows of any range of vertices are those of the whole graph."""

from importlib import import_module

import numpy as np
import pytest

import troth
from troth.graph.generate import FAMILIES
from troth.graph.generate.spec import parse

SPECS = [
    "rgg:9",
    "rgg:9:degree=1",
    "rgg:7:degree=200,weights=integer",
    "rgg:0",
    "kmer:12",
    "kmer:2",
    "grid2d:17:stencil=9",
    "grid3d:7",
    "path:9:weights=unit",
    "mycielskian:8",
    "mycielskian:1",
]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("ranges", [1, 2, 3, 7, 64])
def test_ranges_together_are_the_graph(spec, ranges):
    graph, request = troth.generate(spec), parse(spec)
    family = import_module(f"troth.graph.generate.{FAMILIES[request.family].module}")
    cuts = np.arange(ranges + 1) * graph.n_vertices // ranges
    for first, last in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        indptr, indices, weights = family.rows(request, first, last)
        part = slice(graph.indptr[first], graph.indptr[last])
        np.testing.assert_array_equal(indptr, graph.indptr[first : last + 1] - graph.indptr[first])
        np.testing.assert_array_equal(indices, graph.indices[part])
        assert indices.dtype == graph.indices.dtype
        if graph.weights is None:
            assert weights is None
        else:
            np.testing.assert_array_equal(weights, graph.weights[part])
            assert weights.dtype == graph.weights.dtype
