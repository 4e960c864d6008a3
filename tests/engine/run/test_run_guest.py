"""What a run does around the guest: the words that it starts with, redzones, counts of accesses."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from irsan.engine.options import RunOptions
from irsan.engine.run import run_guest
from irsan.runtime.layout import memory_map

MIB = memory_map.MIB


def linked(launchers: Path | None = None, tls_bytes: int = 0) -> Any:
    """What `_guest_start` looks at of a linked guest."""
    program = SimpleNamespace(
        main=1, constructors=[2, 3], finalizers=[4], tls_image=bytes(tls_bytes), tls_offset=16,
        swapped_tls=[(5, 6)], first_tls_module=7, cxx=(8, 9),
    )  # fmt: skip
    return SimpleNamespace(program=program, launchers=launchers)


def options(**changes: Any) -> RunOptions:
    return RunOptions(programs=(Path("some/prog.c"), Path("part.c")), **changes)


def test_a_program_starts_with_its_words() -> None:
    chosen = options(arguments=("one", "tw\udcff"), environment={"A": "1", "B": ""})
    start = run_guest._guest_start(chosen, linked())
    assert start.arguments == [b"some/prog.c", b"one", b"tw\xff"]
    assert start.environment == [b"A=1", b"B="]
    assert start.path == str(Path.cwd() / "some/prog.c").encode()
    assert (start.main, start.constructors, start.finalizers) == (1, [2, 3], [4])
    assert (start.tls_offset, start.swapped_tls, start.cxx) == (16, [(5, 6)], (8, 9))


def test_its_own_name_can_be_given() -> None:
    start = run_guest._guest_start(options(argv0="-sh"), linked())
    assert start.arguments == [b"-sh"]
    assert start.path.endswith(b"/some/prog.c")


def test_one_that_starts_itself_is_named_by_its_launcher(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(run_guest, "launcher", lambda _options, folder: folder / "again")
    start = run_guest._guest_start(options(), linked(launchers=tmp_path))
    assert start.path == start.arguments[0] == str(tmp_path / "again").encode()
    named = run_guest._guest_start(options(argv0="-sh"), linked(launchers=tmp_path))
    assert named.path.endswith(b"/some/prog.c")


@pytest.mark.parametrize("tls_bytes", [0, 4096, 8 * MIB])
def test_the_interpreters_main_stack_is_all_that_its_slot_has(tls_bytes: int) -> None:
    compiled = run_guest._main_stack_bytes("jit", tls_bytes)
    assert compiled == memory_map.DEFAULT_STACK_BYTES
    room = run_guest._main_stack_bytes("interp", tls_bytes)
    assert room >= compiled
    assert room + tls_bytes <= memory_map.STACK_SLOT_BYTES - MIB or room == compiled


@pytest.fixture
def poisoned(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int] | str]:
    """What is poisoned; `ignored`: no global is registered."""
    seen: list[tuple[int, int] | str] = []
    monkeypatch.setattr(run_guest, "poison_redzone", lambda lo, hi: seen.append((lo, hi)))
    monkeypatch.setattr(run_guest, "ignore_globals", lambda: seen.append("ignored"))
    return seen


@pytest.mark.parametrize(
    ("tools", "how", "partly", "expected"),
    [
        ({"address"}, 1, True, [(101, 112), (120, 128)]),
        ({"address"}, 2, False, [(104, 112), (120, 128)]),
        ({"address"}, 0, True, ["ignored"]),
        ({"thread"}, 1, True, []),
    ],
)
def test_redzones_of_globals_are_poisoned_as_flags_say(
    poisoned: list[Any], tools: set[str], how: int, partly: bool, expected: list[Any]
) -> None:
    asan = SimpleNamespace(
        get_int={"report_globals": how}.__getitem__, get_bool={"poison_partial": partly}.__getitem__
    )
    linker = SimpleNamespace(redzones=[(101, 112), (120, 128)])
    guest: Any = SimpleNamespace(program=SimpleNamespace(linker=linker))
    flags: Any = SimpleNamespace(asan=asan)
    chosen = options(sanitize=frozenset(tools))
    assert run_guest._poison_globals(chosen, flags, guest) == how
    assert poisoned == expected


@pytest.mark.parametrize(
    ("tools", "asked", "expected"),
    [({"dumb"}, True, ("top 3, at least 5",)), ({"dumb"}, False, ()), ({"address"}, True, ())],
)
def test_accesses_are_counted_for_those_who_asked(
    monkeypatch: pytest.MonkeyPatch, tools: set[str], asked: bool, expected: tuple[str, ...]
) -> None:
    def most(_places: Any, _of_site: Any, *, top: int, min_count: int) -> tuple[str, ...]:
        return (f"top {top}, at least {min_count}",)

    monkeypatch.setattr(run_guest, "most_accessed", most)
    view = SimpleNamespace(
        get_bool={"print_frequent_access": asked}.__getitem__,
        get_int={"top": 3, "min_count": 5}.__getitem__,
    )
    flags: Any = SimpleNamespace(dbsan=view)
    nothing: Any = SimpleNamespace(places=None, of_site=None)
    found: Any = run_guest._access_counts(
        options(sanitize=frozenset(tools)), flags, nothing, nothing
    )
    assert found == expected


@pytest.mark.parametrize("fatal", [True, False])
def test_conflicting_definitions_stop_a_run_that_halts(
    monkeypatch: pytest.MonkeyPatch, fatal: bool
) -> None:
    conflicts: Any = ["x"]

    def found(given: Any, level: int, symbols: Any, *, fatal: bool) -> list[str]:
        assert (given, level, symbols, fatal) == (conflicts, 2, {"x": 1}, fatal)
        return ["first", "second"]

    monkeypatch.setattr(run_guest, "odr_findings", found)
    added: list[str] = []

    def add(finding: str) -> bool:
        added.append(finding)
        return fatal

    asan = SimpleNamespace(
        get_int={"detect_odr_violation": 2}.__getitem__,
        get_bool={"halt_on_error": fatal}.__getitem__,
    )
    recorder: Any = SimpleNamespace(flags=SimpleNamespace(asan=asan), add=add)
    linker = SimpleNamespace(symbols={"x": 1})
    guest: Any = SimpleNamespace(program=SimpleNamespace(linker=linker))
    outcome = run_guest._report_odr(conflicts, recorder, guest)
    assert outcome.is_stopped == fatal
    assert added == (["first"] if fatal else ["first", "second"])
