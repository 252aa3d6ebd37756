"""Opening graph files: text as an array of bytes, binary files array by array, once the sizes are known to be true."""

from __future__ import annotations

import bz2
import gzip
import mmap
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import DTypeLike, NDArray

from troth.graph.csr import INT32_VERTICES
from troth.memory import require_memory
from troth.progress import Reporter, stage

_BLOCK = 1 << 24  # bytes at a time, so that an interrupt waits a tenth of a second or less
_GZIP, _BZIP2 = b"\x1f\x8b", b"BZh"
_NEWLINE, _SHOWN, _LONG = 10, 40, 1 << 16


@dataclass(frozen=True)
class Text:
    """The unpacked text of a file: as bytes or a map of them, and as an array over the same memory."""

    path: Path
    raw: bytes | bytearray | mmap.mmap
    array: NDArray[np.uint8]

    def error(self, position: int, reason: str) -> ValueError:
        """The error for what stands at a position. "{}" in the reason becomes the word there."""
        word = self.raw[position : position + _SHOWN].replace(b",", b" ").split(maxsplit=1)[:1]
        shown = repr(word[0].decode("utf-8", "replace")) if word else "the end of the line"
        return ValueError(f"{self.path}, line {self.line(position)}: {reason.replace('{}', shown)}")

    def line(self, position: int) -> int:
        """The number, from 1, of the line that a position is in."""
        blocks = range(0, position, _BLOCK)
        return 1 + sum(int(np.count_nonzero(self.array[b : min(b + _BLOCK, position)] == _NEWLINE)) for b in blocks)

    def lines(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """Each line from a position on, cut off at 64 KiB, with where it begins; for headers."""
        while start < len(self.raw):
            end = self.after(start)
            yield start, bytes(self.raw[start : min(end, start + _LONG)])
            start = end

    def after(self, position: int) -> int:
        """Where the next line begins."""
        end = self.raw.find(b"\n", position)
        return len(self.raw) if end < 0 else end + 1


def read_text(path: Path, progress: Reporter | None) -> Text:
    """The text in a file, unpacked where it begins as gzip or bzip2 files do; a plain file is mapped, not read."""
    with open(path, "rb") as file:
        raw: bytes | bytearray | mmap.mmap
        if not path.is_file():
            raw = file.read()
        elif (magic := file.read(3)).startswith((_GZIP, _BZIP2)):
            raw = _unpacked(path, file, magic.startswith(_GZIP), progress)
        elif magic and path.suffix.lower() in (".gz", ".bz2"):
            raise ValueError(f"{path} is not packed as its suffix {path.suffix} says; rename it, or pack it")
        else:
            raw = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if magic else b""
    if not raw:
        raise ValueError(f"{path} is empty")
    array = np.frombuffer(raw, np.uint8)
    array.flags.writeable = False
    return Text(path, raw, array)


def is_packed(path: Path) -> bool:
    """Whether a file begins as gzip and bzip2 files do, or is none that can be read in parts."""
    if not path.is_file():
        return True
    with open(path, "rb") as file:
        return file.read(3).startswith((_GZIP, _BZIP2))


def _unpacked(path: Path, file: BinaryIO, is_gzip: bool, progress: Reporter | None) -> bytearray:
    report = stage(progress, f"unpack {path.name}", os.stat(path).st_size)
    file.seek(0)
    text = bytearray()
    try:
        packed = gzip.GzipFile(fileobj=file, mode="rb") if is_gzip else bz2.BZ2File(file)
        with packed:
            while part := packed.read(_BLOCK):
                require_memory(len(text) // 8 + _BLOCK, f"unpacking {path}")  # as a bytearray grows
                text += part
                if report:
                    report(file.tell())
    except (EOFError, OSError, zlib.error) as error:
        name = "gzip" if is_gzip else "bzip2"
        raise ValueError(
            f"{path} is a truncated or damaged {name} file, after {len(text)} good bytes: {error}"
        ) from None
    return text


class Binary:
    """A binary file, read from front to back."""

    def __init__(self, path: Path, file: BinaryIO, progress: Reporter | None) -> None:
        self.path, self.size = path, os.fstat(file.fileno()).st_size
        self._file = file
        self._report = stage(progress, f"read {path.name}", self.size)

    def header(self, dtype: DTypeLike, count: int) -> list[int]:
        """The next few numbers."""
        needed = self._file.tell() + np.dtype(dtype).itemsize * count
        if needed > self.size:
            raise ValueError(f"{self.path} ends within its header: it has {self.size} bytes, and {needed} are needed")
        numbers: list[int] = self.array(dtype, count).tolist()
        return numbers

    def check_size(self, expected: int, said: str) -> None:
        """ValueError unless the file has just the size that its header, put in words, calls for."""
        if self.size != expected:
            what = "truncated" if self.size < expected else "too long"
            raise ValueError(
                f"{self.path} is {what}, or not of this format: {said}, which makes {expected} bytes, not {self.size}"
            )

    def array(self, dtype: DTypeLike, count: int) -> NDArray[Any]:
        """The next count items; only for counts that were compared with the size of the file."""
        array = np.empty(count, dtype)
        into = memoryview(array).cast("B") if count else memoryview(b"")
        for begin in range(0, into.nbytes, _BLOCK):
            part = into[begin : begin + _BLOCK]
            if self._file.readinto(part) != part.nbytes:  # type: ignore[attr-defined]
                raise ValueError(f"{self.path} became shorter while it was read")
            if self._report:
                self._report(self._file.tell())
        return array

    def records(self, dtype: np.dtype[Any], count: int, n_vertices: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """The next count records of a neighbour and a weight, as two arrays; ValueError for no such neighbour."""
        neighbour, weight = dtype.names or ("", "")
        indices = np.empty(count, np.int32 if n_vertices <= INT32_VERTICES else np.int64)
        weights = np.empty(count, dtype[weight])
        for begin in range(0, count, _BLOCK // dtype.itemsize):
            part = slice(begin, min(begin + _BLOCK // dtype.itemsize, count))
            records = self.array(dtype, part.stop - begin)
            ends = records[neighbour]
            wrong = (ends < 0) | (ends >= n_vertices)
            if wrong.any():
                k = int(np.argmax(wrong))
                raise ValueError(f"{self.path}: entry {begin + k} is vertex {ends[k]}, but there are {n_vertices}")
            indices[part], weights[part] = ends, records[weight]
        return indices, weights

    def rewind(self) -> None:
        """Go back to the first byte."""
        self._file.seek(0)


@contextmanager
def read_binary(path: Path, progress: Reporter | None) -> Iterator[Binary]:
    """A binary file to read, not empty."""
    require_memory(check_plain(path), f"reading {path}")
    with open(path, "rb") as file:
        yield Binary(path, file, progress)


def check_plain(path: Path) -> int:
    """The size of a file; ValueError for an empty one, or one that cannot tell its size."""
    if not path.is_file():
        raise ValueError(f"{path} is not a plain file; of pipes and devices only text formats are read")
    size = path.stat().st_size
    if size == 0:
        raise ValueError(f"{path} is empty")
    return size
