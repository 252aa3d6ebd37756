"""Specs: what they mean, what is_spec takes for one, and one sentence for each mistake."""

import re

import pytest

import troth
from troth.graph.generate import FAMILIES, is_spec
from troth.graph.generate.spec import parse

REFUSED = {
    "rmta:20": "unknown graph family 'rmta': did you mean 'rmat'? valid are rmat, urand",
    "": "unknown graph family ''",
    "rmat": "rmat needs a number, as in rmat:20; its number is the log2 of the vertices, a whole number from 0 to 40",
    "rmat:": "rmat needs a number",
    "rmat:x": "rmat:x cannot be made; its number is the log2 of the vertices, a whole number from 0 to 40",
    "rmat:-1": "rmat:-1 cannot be made",
    "rmat:41": "rmat:41 cannot be made",
    "rmat:1.5": "rmat:1.5 cannot be made",
    "rmat:\u0663": "cannot be made",
    "rmat:" + "9" * 5000: "cannot be made",
    "grid3d:0": "grid3d:0 cannot be made; its number is the vertices along a side, a whole number from 1 to 8192",
    "kmer:1": "kmer:1 cannot be made",
    "mycielskian:0": "mycielskian:0 cannot be made; its number is the index, a whole number from 1 to 30",
    "rmat:5:edge_facto=3": "unknown option of rmat 'edge_facto': did you mean 'edge_factor'? valid are edge_factor, a,",
    "rmat:5:stencil=9": "unknown option of rmat 'stencil'",
    "rmat:5:edge_factor": "option edge_factor of rmat has no value; write edge_factor=16",
    "rmat:5:edge_factor=": "option edge_factor of rmat has no value; write edge_factor=16",
    "rmat:5:edge_factor=0": "option edge_factor is '0'; it must be a whole number from 1 to 1048576",
    "rmat:5:edge_factor=8.5": "option edge_factor is '8.5'; it must be a whole number",
    "rmat:5:weights=unifrom": "unknown value of option weights: 'unifrom': did you mean 'uniform'? valid are uniform,",
    "rmat:5:weights=distance": "unknown value of option weights: 'distance'",
    "rmat:5:weights=integer,max_weight=0": "option max_weight is '0'; it must be a whole number from 1 to 2147483647",
    "rmat:5:relabel=maybe": "unknown value of option relabel: 'maybe': did you mean 'yes'? valid are yes, no",
    "rmat:5:a=nan": "option a is 'nan'; it must be a number from 0.0 to 1.0",
    "rmat:5:a=0.9": "a + b + c of rmat is 1.28; together they must be at most 1",
    "rmat:5:seed=1,seed=2": "option seed of rmat is given twice; give it once",
    "rmat:5:seed=-1": "option seed is '-1'; it must be a whole number from 0 to 9223372036854775807",
    "rmat:5:weights=unit,": "unknown option of rmat ''",
    "rgg:5:degree=0.5": "option degree is '0.5'; it must be a number from 1.0 to",
    "grid2d:5:stencil=27": "unknown value of option stencil: '27': valid are 5, 9",
    "rmat:40": "rmat:40 needs about 439,804.7 GB but",
    "grid3d:8192": "grid3d:8192 needs about",
    "mycielskian:30": "mycielskian:30 needs about",
    "rgg:40": "rgg:40 needs about",
    "path:40": "path:40 needs about",
}


@pytest.mark.parametrize("spec", REFUSED)
def test_mistakes_get_one_sentence(spec):
    with pytest.raises(ValueError, match=re.escape(REFUSED[spec])) as caught:
        troth.generate(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "7", None])
def test_seeds_are_whole_numbers(seed):
    with pytest.raises(ValueError, match=re.escape(f"seed is {seed!r}; give a whole number from 0 to 2**63 - 1")):
        troth.generate("rmat:3", seed=seed)


def test_threads_are_checked():
    with pytest.raises(ValueError, match="threads is 0; give a whole number"):
        troth.generate("rmat:3", threads=0)


def test_every_option_is_filled_in():
    request = parse("rmat:7:edge_factor=8,weights=unit,relabel=no,a=0.5")
    assert (request.family, request.number, request.seed) == ("rmat", 7, 1)
    assert dict(request.options) == {
        "edge_factor": 8, "a": 0.5, "b": 0.19, "c": 0.19, "relabel": "no",
        "weights": "unit", "dtype": "float64", "max_weight": 1000,
    }  # fmt: skip


@pytest.mark.parametrize(("spec", "seed"), [("rmat:7", 5), ("rmat:7:seed=9", 9), ("rmat:7:weights=unit,seed=0", 0)])
def test_a_seed_in_the_spec_goes_before_the_argument(spec, seed):
    assert parse(spec, seed=5).seed == seed


def test_the_seed_changes_the_graph():
    assert troth.generate("rmat:7", seed=3) != troth.generate("rmat:7", seed=4)
    assert troth.generate("rmat:7:seed=3") == troth.generate("rmat:7", seed=3)


@pytest.mark.parametrize("text", ["rmat:20", "path:3", "rmat", "grid3d:9:stencil=7", "rmat:nonsense"])
def test_is_spec(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert is_spec(text)
    (tmp_path / text).touch()
    assert not is_spec(text)


@pytest.mark.parametrize("text", ["", "graph.mtx", "./rmat:20", "RMAT:20", "rmat20", "data/path:3", "C:rmat"])
def test_is_no_spec(text):
    assert not is_spec(text)


@pytest.mark.parametrize("name", FAMILIES)
def test_families_describe_themselves(name):
    family = FAMILIES[name]
    assert family.doc
    assert family.example.startswith(f"{name}:")
    assert parse(family.example).number <= family.high
    assert all(option.read(key, str(option.default)) == option.default for key, option in family.options.items())
