"""Output files that are whole or not there: written under a temporary name in the same directory, then renamed."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary path to write to, renamed to `path` at the end of the block, or removed if that raises anything.

    It has the suffixes of the path, for writers that go by them. A link is followed; a device or a pipe is written to
    as it is, for it cannot be replaced.
    """
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(f"{path} is a directory; give the name of a file")
    if target.exists() and not target.is_file():
        yield Path(path)
        return
    temporary = _beside(target, path)
    try:
        yield temporary
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def atomic_directory(path: str | os.PathLike[str], is_ours: Callable[[Path], bool]) -> Iterator[Path]:
    """The same for a directory, made empty. One that exists is replaced only where is_ours(it) is true."""
    target = Path(os.path.realpath(path))
    if target.exists() and not (target.is_dir() and is_ours(target)):
        raise FileExistsError(f"{path} exists and is not what would be written there; remove it or give another name")
    temporary, old = _beside(target, path), _beside(target, path)
    temporary.mkdir()
    try:
        yield temporary
        # A directory that is not empty cannot be renamed over: the old one steps aside, and back if that fails.
        if target.exists():
            os.rename(target, old)
        os.rename(temporary, target)
    except BaseException:
        if old.exists() and not target.exists():
            os.rename(old, target)
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _beside(target: Path, given: str | os.PathLike[str]) -> Path:
    """A new hidden name in the directory of the target, with its last two suffixes."""
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{given} cannot be written: there is no directory {target.parent}")
    return target.parent / f".troth-{secrets.token_hex(6)}{''.join(target.suffixes[-2:])}"
