"""All that the bundled LLVM knows: each opcode, each target-independent intrinsic and some of
this processor's own run, or are refused by function, name and line with status 69; none ends the
process, none is passed over.

What runs under both engines is run, and prints the same.  A sixth of the intrinsics is asked about
(`in_part`; IRSAN_PART=all: every one).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner, RunResult
from irsan.engine.interp.lower_calls import _REFUSED
from tests.engine.interp.test_instruction_table import modelled_opcodes
from tests.support import llvm_inventory
from tests.support.debug_text import LINE
from tests.support.irsan_runs import in_part
from tests.support.llvm_outcomes import Inventory, Refusal, ask
from tests.support.llvm_uses import Use, program_of

_WHERE = f"(in caller, line {LINE})"
_INTRINSIC = re.compile(r"llvm\.[a-zA-Z][\w.]*\w")

# What LLVM reads a call of as a record of debug info, of whose operands it is choosy.
_RECORDS = frozenset({"llvm.dbg.label"})
# Each ends the program, leaves its frame or sets what all arithmetic depends on.
_NOT_CALLED = frozenset({
    "llvm.trap", "llvm.debugtrap", "llvm.ubsantrap", "llvm.eh.sjlj.longjmp", "llvm.stackrestore",
    "llvm.eh.unwind.init", "llvm.set.fpmode", "llvm.set.fpenv", "llvm.set.rounding",
    "llvm.reset.fpmode", "llvm.reset.fpenv", "llvm.asan.check.memaccess", "llvm.eh.sjlj.setjmp",
})  # fmt: skip
# Addresses and clocks; what LLVM may answer either way.
_NOT_COMPARED = frozenset({
    "llvm.readcyclecounter", "llvm.readsteadycounter", "llvm.is.constant",
    "llvm.get.dynamic.area.offset",
    "llvm.get.fpmode",  # fnstcw writes half of its first word
})  # fmt: skip


@pytest.fixture(scope="module")
def names() -> tuple[str, ...]:
    found = llvm_inventory.intrinsic_names()
    if not found or llvm_inventory.functions() is None:
        pytest.skip("llvmlite's library has neither the C API nor a symbol table")
    return found


@pytest.fixture(scope="module")
def own_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Some of this processor's own intrinsics, which LLVM takes from all of its extensions."""
    targets = llvm_inventory.all_intrinsic_names()[len(names) :]
    own = [name for name in targets if name.startswith("llvm.x86.")]
    assert len(own) > 1000
    return tuple(own[::120])


@pytest.fixture(scope="module")
def asked(names: tuple[str, ...]) -> list[str]:
    """Those of all targets that are run now."""
    return in_part(names, 6)


@pytest.fixture(scope="module")
def inventory(asked: list[str], own_names: tuple[str, ...]) -> Inventory:
    return ask([*asked, *own_names])


@pytest.fixture(scope="module")
def uses(inventory: Inventory) -> dict[str, Use]:
    return inventory.uses


@pytest.fixture(scope="module")
def outcomes(inventory: Inventory) -> dict[tuple[str, str], Refusal | None]:
    return inventory.outcomes


def test_the_inventory_is_llvms(names: tuple[str, ...]) -> None:
    assert len(names) == len(set(names)) > 400
    assert {"llvm.memcpy", "llvm.ctpop", "llvm.coro.id", "llvm.vp.add"} < set(names)
    assert len(llvm_inventory.opcode_names()) > 60


@pytest.mark.usefixtures("names")
def test_the_model_has_every_opcode() -> None:
    """`test_instruction_table.py` shows each of the model's as run or refused."""
    assert set(llvm_inventory.opcode_names()) == modelled_opcodes()


def test_every_intrinsic_has_a_use(asked: list[str], uses: dict[str, Use]) -> None:
    assert set(asked) - set(uses) == _RECORDS & set(asked)


def test_other_processors_intrinsics_are_refused(names: tuple[str, ...]) -> None:
    others = set(llvm_inventory.all_intrinsic_names()[len(names) :])
    assert len(others) > 10_000
    assert {name for name in others if not name.startswith((*_REFUSED, "llvm.x86."))} == set()


def test_this_processors_own_have_uses(own_names: tuple[str, ...], uses: dict[str, Use]) -> None:
    assert len(set(own_names) & set(uses)) > 0.9 * len(own_names)


def test_every_intrinsic_runs_or_is_refused(
    uses: dict[str, Use], outcomes: dict[tuple[str, str], Refusal | None]
) -> None:
    wrong = [
        f"{name} ({engine}): {failure}"
        for (name, engine), failure in outcomes.items()
        if failure is not None and not _is_clear(failure, uses[name])
    ]
    assert not wrong, "\n".join(wrong)


def _is_clear(failure: Refusal, use: Use) -> bool:
    """Whether a refusal has the status of one, and names function, line and a word of the use."""
    words = [*_INTRINSIC.findall("\n".join(use.lines)), "catchswitch"]
    text = failure.text
    is_named = _WHERE in text and any(f"`{word}" in text for word in words)
    return failure.exit_status == 69 and is_named


def test_what_runs_prints_the_same(
    runner: BatchRunner, tmp_path: Path, asked: list[str], uses: dict[str, Use],
    outcomes: dict[tuple[str, str], Refusal | None],
) -> None:  # fmt: skip
    run = [
        use for name, use in uses.items()
        if name not in _NOT_CALLED and not name.startswith("llvm.x86.")
        and outcomes[name, "jit"] is None and outcomes[name, "interp"] is None
    ]  # fmt: skip
    assert len(run) > len(asked) / 2
    path = tmp_path / "uses.ll"
    path.write_text(program_of(run, _NOT_COMPARED))
    native, interpreted = [_run(runner, path, engine) for engine in ("jit", "interp")]
    assert native.exit_status == interpreted.exit_status == 0, interpreted.stderr
    lines = list(_lines(native))
    assert len(lines) == len(run)
    wrong = [
        f"{use.name}: {got!r}, not {line!r}"
        for use, line, got in zip(run, lines, _lines(interpreted), strict=True) if got != line
    ]  # fmt: skip
    assert not wrong, "\n".join(wrong)


def _run(runner: BatchRunner, path: Path, engine: str) -> RunResult:
    (found,) = runner.run([path], [0], engine=engine, sanitize=frozenset({"address"}))
    return found


def _lines(result: RunResult) -> Iterator[bytes]:
    yield from result.stdout.splitlines()
