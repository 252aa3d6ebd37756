"""The documents do what they say: examples run, commands run, links lead somewhere."""

import doctest
import re
import runpy
import shlex
import subprocess
from pathlib import Path

import pytest

import troth
from troth.cli import main

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
INSTALL = "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/troth match rmat:18"
TEST = "python3 -m venv .venv && .venv/bin/pip install '.[test]' && .venv/bin/pytest"


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)


def test_the_readme_opens_with_the_two_commands():
    assert blocks(ROOT / "README.md", "sh")[0].splitlines() == [INSTALL, TEST]


def test_ci_runs_the_readmes_test_command():
    assert TEST in (ROOT / ".ci" / "run").read_text().splitlines()


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name)
def test_python_examples_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"troth": troth}
    for code in blocks(page, "python"):
        if ">>>" in code:
            runner = doctest.DocTestRunner()
            test = doctest.DocTestParser().get_doctest(code, names, page.name, page.name, 0)
            assert runner.run(test, clear_globs=False).failed == 0
            names = test.globs
        else:
            small = re.sub(r"\b(\w+):(?:1[3-9]|2\d)\b", r"\1:10", code)
            exec(compile(small, page.name, "exec"), names)


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "docs" / "cli.md"], ids=lambda page: page.name)
def test_commands_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = "".join(blocks(page, "sh")).splitlines()
    for line in lines:
        if line.startswith("printf "):
            subprocess.run(line, shell=True, check=True)
        if line.startswith("troth ") and not line.startswith(("troth bench", "troth warmup")):
            with pytest.raises(SystemExit) as left:
                main(shlex.split(line)[1:])
            assert left.value.code == 0, line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#]+)", page.read_text())
    missing = [link for link in links if not link.startswith("http") and not (page.parent / link).exists()]
    assert not missing


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_examples_run(example, capsys):
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out
