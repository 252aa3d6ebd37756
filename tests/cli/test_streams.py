"""What happens when stdout is not what it should be."""

import os
import sys

import pytest


def finished(child):
    _, err = child.communicate(timeout=60)
    return child.returncode, err


def test_a_broken_pipe_is_silent(start):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        assert finished(start("info", "path:4", stdout=writer)) == (141, "")
    finally:
        os.close(writer)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("args", [["--help"], ["info", "path:4", "--json"]])
def test_a_full_disk_is_one_line(start, args):
    with open("/dev/full", "w") as full:
        assert finished(start(*args, stdout=full)) == (2, "troth: standard output: no space left on device\n")


def test_a_closed_stdout_is_one_line(run, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    result = run("info", "path:4")
    assert (result.code, result.err) == (2, "troth: standard output: bad file descriptor\n")


def test_names_that_the_terminal_cannot_say(run, tmp_path):
    name = os.fsdecode(b"odd\xff[bold].txt")
    (tmp_path / name).write_text("0 1\n")
    result = run("info", name)
    assert result.code == 0, result.err
    assert "odd\\udcff[bold].txt" in result.out
