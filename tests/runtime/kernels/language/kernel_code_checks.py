"""Machine code of kernels in a process: what is linked, what is kept on disk, what fails."""

from __future__ import annotations

import errno
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from numba import types

from irsan.runtime.kernels.language import kernel_code
from irsan.runtime.kernels.language.linked_kernel import LinkedKernel
from irsan.sealed import read_sealed

NUMBER: Any = types.uint64
_names = (f"coded_{number}" for number in itertools.count())


class Family:
    """Kernels that call each other by symbol: each the text of a function of one number."""

    def __init__(self) -> None:
        self.kernels: dict[str, LinkedKernel] = {}

    def add(self, calls: tuple[str, ...], plus: int, *, outlined: bool = False) -> LinkedKernel:
        """A kernel that adds `plus`, and what the kernels that it calls add."""
        name = next(_names)
        called_by = f"outlined.{name}" if outlined else name
        made = LinkedKernel(
            _nothing, NUMBER(NUMBER), name, called_by, inlined=False, callee=self.kernels.get
        )
        made._text = _text(name, calls, plus)
        self.kernels[called_by] = made
        return made


def _nothing(_number: int) -> int:
    raise AssertionError("only its text is looked at")


def _text(symbol: str, calls: tuple[str, ...], plus: int) -> str:
    lines = [f'define i64 @"{symbol}"(i64 %v0) {{']
    lines += [f'%v{i} = call i64 @"{name}"(i64 %v{i - 1})' for i, name in enumerate(calls, 1)]
    lines += [f"%r = add i64 %v{len(calls)}, {plus}", "ret i64 %r", "}"]
    return "\n".join([*lines, *(f'declare i64 @"{name}"(i64)' for name in {*calls})]) + "\n"


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """An empty cache, and a process in which nothing is linked."""
    monkeypatch.setattr(kernel_code, "cache_root", lambda: tmp_path)
    kernel_code._code.cache_clear()
    yield tmp_path / "kernel-code"
    kernel_code._code.cache_clear()


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The symbols whose code has been made, in order."""
    made: list[str] = []
    plain = kernel_code._Code._compiled

    def counted(self: Any, text: str) -> bytes:
        made.append(text.split('"')[1])
        return plain(self, text)

    monkeypatch.setattr(kernel_code._Code, "_compiled", counted)
    return made


def test_what_a_kernel_leads_to_is_linked_with_it_and_once(compiled: list[str]) -> None:
    family = Family()
    leaf = family.add((), 1, outlined=True)
    middle = family.add((leaf.called_by, leaf.called_by), 10)
    other = family.add((middle.called_by, leaf.called_by), 100)
    assert middle(0) == 12
    assert sorted(compiled) == sorted([leaf.symbol, middle.symbol])
    assert other(0) == 113
    assert compiled[2:] == [other.symbol]
    assert leaf(2**64 - 1) == 0
    assert len(compiled) == 3


def test_two_that_call_each_other_are_linked_at_once(compiled: list[str]) -> None:
    family = Family()
    first = family.add((), 1)
    second = family.add((first.called_by,), 2)
    first._text = (
        f'define i64 @"{first.symbol}"(i64 %n) {{\n'
        "%end = icmp ult i64 %n, 100\nbr i1 %end, label %more, label %done\n"
        f'more:\n%v = call i64 @"{second.symbol}"(i64 %n)\nret i64 %v\ndone:\nret i64 %n\n}}\n'
        f'declare i64 @"{second.symbol}"(i64)\n'
    )
    second._text = (
        f'define i64 @"{second.symbol}"(i64 %n) {{\n'
        f'%more = add i64 %n, 7\n%v = call i64 @"{first.symbol}"(i64 %more)\nret i64 %v\n}}\n'
        f'declare i64 @"{first.symbol}"(i64)\n'
    )
    assert first(0) == 105
    assert sorted(compiled) == sorted([first.symbol, second.symbol])


def test_code_is_read_from_the_disk_while_it_is_whole(cache: Path, compiled: list[str]) -> None:
    text = _text("kept", (), 5)
    assert _fresh(text)(1) == 6
    [path] = cache.iterdir()
    assert read_sealed(path)
    assert _fresh(text)(1) == 6
    assert compiled == ["kept"]
    path.write_bytes(path.read_bytes()[:-1])
    assert _fresh(text)(1) == 6
    assert compiled == ["kept"] * 2
    assert _fresh(_text("kept", (), 6))(1) == 7, "another text of the same name"
    assert compiled == ["kept"] * 3


def test_a_full_disk_costs_time_only(
    monkeypatch: pytest.MonkeyPatch, cache: Path, compiled: list[str]
) -> None:
    def full(_path: Path, _payload: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(kernel_code, "write_sealed", full)
    for _ in range(2):
        assert _fresh(_text("unkept", (), 3))(1) == 4
    assert compiled == ["unkept"] * 2
    assert not cache.exists()


def _fresh(text: str) -> LinkedKernel:
    """A kernel of a text, in a process in which nothing is linked."""
    kernel_code._code.cache_clear()
    made = Family().add((), 0)
    made._text, made.symbol = text, text.split('"')[1]
    made.called_by = made.symbol
    return made
