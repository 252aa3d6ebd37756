"""Lines of numbers: cut into pieces and ranges, with comments and odd line ends, and what is wrong in them."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from troth.graph.formats import columns, metis, text
from troth.graph.formats.columns import parse_columns
from troth.graph.formats.files import Text
from troth.kernels import team

SEED = 20261119
PATH = Path("some.txt")


def text_of(content):
    raw = content.encode() if isinstance(content, str) else content
    return Text(PATH, raw, np.frombuffer(raw, np.uint8))


def parse(content, columns=3, start=0, end=None, threads=1):
    source = text_of(content)
    return parse_columns(source, start, source.array.size if end is None else end, columns, threads, None)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5), st.sampled_from("eg"))
def test_weights_are_those_of_float(values, style):
    words = [f"{value:.25{style}}" for value in values] + [repr(value) for value in values]
    _, _, weights = parse("".join(f"{k} 7 {word}\n" for k, word in enumerate(words)))
    np.testing.assert_array_equal(weights, [float(word) for word in words])


def test_whole_weights_stay_whole_until_a_float_comes():
    assert parse("0 1 5\n1 2 -9223372036854775808\n")[2].tolist() == [5, -(2**63)]
    assert parse("0 1 5\n1 2 6\n")[2].dtype == np.int64
    assert parse("0 1 5\n1 2 6.5\n")[2].dtype == np.float64
    assert parse("0 1 5\n1 2 18446744073709551616\n")[2].tolist() == [5.0, 2.0**64]


LAYOUT = "# one\r\n\r\n  0\t1,5 \r\n% two\n\n\t#three\n1 2 7\n   \n2, 3 ,9"


def test_comments_blanks_and_line_ends():
    u, v, weights = parse(LAYOUT)
    assert (u.tolist(), v.tolist(), weights.tolist()) == ([0, 1, 2], [1, 2, 3], [5, 7, 9])


@given(st.lists(st.integers(0, len(LAYOUT)), max_size=4))
@settings(max_examples=100, deadline=None)
def test_ranges_make_the_whole(cuts):
    cuts = [0, *sorted(cuts), len(LAYOUT)]
    parts = [parse(LAYOUT, start=a, end=b) for a, b in itertools.pairwise(cuts)]
    assert np.concatenate([u for u, _, _ in parts]).tolist() == [0, 1, 2]
    assert np.concatenate([weights for _, _, weights in parts]).tolist() == [5, 7, 9]


@pytest.fixture(scope="module")
def long_lines():
    """Some pieces of text, with a comment that is longer than two of them."""
    rng = np.random.default_rng(SEED)
    u, v = rng.integers(0, 10**9, (2, 150_000))
    w = rng.random(u.size)
    lines = [f"{a} {b} {c!r}\n" for a, b, c in zip(u.tolist(), v.tolist(), w.tolist(), strict=True)]
    lines.insert(70_000, "#" + "x" * (5 * text.PIECE // 2) + "\n")
    return "".join(lines), u, v, w


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_pieces_make_the_whole(long_lines, threads):
    content, *expected = long_lines
    assert len(content) > 6 * text.PIECE
    for found, array in zip(parse(content, threads=threads), expected, strict=True):
        np.testing.assert_array_equal(found, array)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_first_wrong_line_is_named(long_lines, threads):
    content = long_lines[0]
    lines = content.split("\n")
    for k in (140_000, 120_001, 60_002):
        lines[k] = "5 six 7"
    with pytest.raises(ValueError, match=re.escape("some.txt, line 60003: 'six' is not a vertex id")):
        parse("\n".join(lines), threads=threads)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("0 1 2\n0\n", "line 2: the line ends too early; each line must hold two vertex ids and a weight"),
        ("0 1 2\n0 1\n", "line 2: the line ends too early"),
        ("0 1 2\n0 1 2 3\n", "line 2: '3' is one word too many"),
        ("0 1 2\n-1 1 2\n", "line 2: '-1' is not a vertex id, a whole number from 0 to 2**63 - 1"),
        ("0 1 2\n1.5 1 2\n", "line 2: '1.5' is not a vertex id"),
        ("0 1 2\n9223372036854775808 1 2\n", "line 2: '9223372036854775808' is not a vertex id"),
        ("0 1 2\n\n#\n0 1 nan\n", "line 4: 'nan' is not a finite decimal number"),
        ("0 1 inf\n", "line 1: 'inf' is not a finite decimal number"),
        ("0 1 2.5\n3 4 5;\n", "line 2: '5;' is not a finite decimal number"),
        ("0 1 2\n\x00\x01\n", "line 2: '\\x00\\x01' is not a vertex id"),
        ("0 1 2\n" + "9" * 100 + " 1 2\n", "line 2: '" + "9" * 40 + "' is not"),
    ],
)
def test_what_is_wrong_is_said(content, sentence):
    with pytest.raises(ValueError, match=re.escape(f"some.txt, {sentence}")):
        parse(content)


def test_place_of_a_row(long_lines):
    content = long_lines[0]
    assert text.row_place(text_of(content), 0, 3) == "line 4"
    assert text.row_place(text_of(content), 0, 100_000) == "line 100002"
    assert text.row_place(text_of(LAYOUT), 0, 2) == "line 9"


def test_kernels_run_as_python(monkeypatch):
    expected = parse(LAYOUT)
    monkeypatch.setattr(columns, "parse_lines", columns.parse_lines.py_func)
    monkeypatch.setattr(text, "survey", text.survey.py_func)
    for found, array in zip(parse(LAYOUT), expected, strict=True):
        np.testing.assert_array_equal(found, array)


def test_metis_kernel_runs_as_python(monkeypatch, tmp_path):
    path = tmp_path / "a.graph"
    path.write_text("3 2 1\n2 5 3 6\n1 5\n1 6\n")
    expected = metis.read(path, 1, None)
    monkeypatch.setattr(metis, "parse_rows", metis.parse_rows.py_func)
    found = metis.read(path, 1, None)
    for name in ("indptr", "indices", "weights"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


def test_a_line_too_short_writes_nothing_outside(monkeypatch, tmp_path):
    """By the count of numbers there is room for one neighbour, until the second line is found too short."""
    for name in ("parse_rows", "parse_row"):
        monkeypatch.setattr(metis, name, getattr(metis, name).py_func)
    path = tmp_path / "a.graph"
    path.write_text("3 2 10\n5 1 2 3\n\n\n")
    with pytest.raises(ValueError, match=r"a\.graph, line 3: the line ends too early"):
        metis.read(path, 1, None)


def test_an_interrupt_ends_the_parsing(long_lines, monkeypatch):
    def interrupt(kernel, *args, **kwargs):
        if kernel is columns.parse_lines:
            raise KeyboardInterrupt
        return run(kernel, *args, **kwargs)

    run = team.run
    monkeypatch.setattr(team, "run", interrupt)
    with pytest.raises(KeyboardInterrupt):
        parse(long_lines[0])
