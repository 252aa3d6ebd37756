"""What holds for every family: canonical arrays, one graph for any threads, weights as asked, and graphs that stay."""

import os
import subprocess
import sys
from zlib import crc32

import numpy as np
import pytest

import troth
from troth.graph.canonical import canonical_csr
from troth.graph.generate import FAMILIES
from troth.graph.generate.spec import parse

# Each with the checksum of its edges: a change of any of these graphs must be meant, for results name them.
SPECS = {
    "rmat:9": 3832308515,
    "rmat:9:relabel=no,edge_factor=4": 2072327230,
    "urand:9": 1958137721,
    "rgg:9": 2501334319,
    "rgg:9:degree=5.5,weights=uniform": 281911220,
    "sbp:9": 109386252,
    "sbp:9:overlap=low,sizes=high": 559909613,
    "kmer:12": 210762068,
    "grid2d:17": 307026637,
    "grid2d:17:stencil=9": 2975186744,
    "grid3d:7": 2894548693,
    "grid3d:7:stencil=7": 226851186,
    "path:9": 1432228571,
    "mycielskian:8": 1081401093,
    "bipartite:8": 2388945572,
    "bipartite:8:kind=layered": 1845149140,
}
SMALLEST = [f"{name}:{family.low}" for name, family in FAMILIES.items()]


def with_options(spec, options):
    return spec + (":" if spec.count(":") == 1 else ",") + options


def test_no_family_is_left_out():
    assert {spec.split(":")[0] for spec in SPECS} == set(FAMILIES)


@pytest.mark.parametrize("spec", [*SPECS, *SMALLEST, "rmat:1", "rgg:1", "sbp:2", "kmer:3", "bipartite:1", "grid3d:2"])
def test_the_arrays_are_canonical_and_the_same_for_any_threads(spec):
    graph = troth.generate(spec, threads=1)
    canonical_csr(graph.indptr, graph.indices, graph.weights)
    for threads in (2, 3):
        assert troth.generate(spec, threads=threads) == graph


@pytest.mark.parametrize("spec", SPECS)
def test_the_graph_stays_as_it_is(spec):
    graph = troth.generate(spec)
    assert crc32(graph.indices, crc32(graph.indptr)) == SPECS[spec]


@pytest.mark.parametrize("spec", SPECS)
def test_extent_is_not_exceeded(spec):
    from importlib import import_module

    request, graph = parse(spec), troth.generate(spec)
    n, entries = import_module(f"troth.graph.generate.{FAMILIES[request.family].module}").extent(request)
    assert graph.n_vertices == n
    assert graph.indices.size <= 1.25 * entries


@pytest.mark.parametrize("spec", SPECS)
def test_weights_as_asked(spec):
    spec = spec.replace(",weights=uniform", "")
    uniform = troth.generate(with_options(spec, "weights=uniform"))
    assert uniform.weights.dtype == np.float64
    assert uniform.weights.min() > 0
    assert uniform.weights.max() < 1
    assert np.unique(uniform.weights).size == uniform.n_edges
    single = troth.generate(with_options(spec, "weights=uniform,dtype=float32"))
    assert single.weights.dtype == np.float32
    np.testing.assert_allclose(single.weights, uniform.weights, atol=2.0**-23)
    integer = troth.generate(with_options(spec, "weights=integer,max_weight=3"))
    assert integer.weights.dtype == np.int32
    np.testing.assert_array_equal(integer.weights, 1 + (3 * uniform.weights).astype(int))
    assert troth.generate(with_options(spec, "weights=unit")).weights is None
    for graph in (single, integer):
        np.testing.assert_array_equal(graph.indices, uniform.indices)


def test_progress_is_told():
    told = []
    troth.generate("rmat:14", threads=1, progress=told.append)
    assert {each.stage for each in told} <= {"draw edges", "count degrees", "place edges", "sort rows", "weigh edges"}
    assert all(0 <= each.done <= each.total for each in told)


PLAIN = """
import sys, warnings
from zlib import crc32
warnings.simplefilter("ignore")
import troth
for spec in sys.argv[1:]:
    graph = troth.generate(spec, threads=2)
    print(crc32(graph.weights, crc32(graph.indices)))
"""


def test_kernels_as_plain_python():
    specs = [
        "rmat:4:edge_factor=3", "urand:4:edge_factor=3", "rgg:5:degree=4", "sbp:5:edge_factor=3", "kmer:7", "grid2d:4",
        "grid3d:3", "path:3", "mycielskian:5", "bipartite:3", "bipartite:3:kind=layered", "rmat:4:weights=integer",
    ]  # fmt: skip
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PLAIN, *specs], env=environment, capture_output=True, text=True, check=True
    )
    compiled = [troth.generate(spec) for spec in specs]
    assert done.stdout.split() == [str(crc32(graph.weights, crc32(graph.indices))) for graph in compiled]


MEMORY = """
import resource, troth
troth.generate("rmat:6")
peak = lambda: 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
graph = troth.generate("rmat:18")
print((peak() - before) / graph.nbytes)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in other units elsewhere")
def test_memory_stays_below_three_graphs():
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 3
