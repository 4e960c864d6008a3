"""Loops with strips: what is left in them, and that random programs report what they did without.

The random programs run twice: with every check where it stands (`keep_all_checks=1`), and with
strips and without the checks that redzones make needless (bounds/short_steps.py).  Everything that
they print and report is compared, but for addresses of code and of the stack, whose frames have
other sizes, the shadow of the stack, memory that may hold some, and the origin of a pointer that a
redzone stopped: there nothing asked for its object.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from irsan.engine.options import DEFAULT_SANITIZERS
from irsan.instrument.pipeline import instrument_module
from irsan.instrument.sites.sites import SiteTable
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_text
from irsan.runtime.layout.memory_map import STACKS_HI, STACKS_LO
from tests.instrument.checked_ir import LAYOUT, body, hooks_in
from tests.support.loop_programs import loop_programs

if TYPE_CHECKING:
    from irsan.engine.commands.batch import BatchRunner

N_PROGRAMS = 200 if os.environ.get("IRSAN_PART") == "all" else 15
_CODE_OR_STACK = re.compile(r"0x00(?:00|[1-5][0-9a-f])[0-9a-f]{8}")  # all but heap addresses

LOOP = """define i32 @f(ptr %%a, ptr %%b, i64 %%n) {
entry:
  br label %%head
head:
  %%i = phi i64 [ 0, %%entry ], [ %%next, %%%(latch)s ]
  %%sum = phi i32 [ 0, %%entry ], [ %%more, %%%(latch)s ]
  %%p = getelementptr i32, ptr %%a, i64 %%i
  %%x = load i32, ptr %%p
  %%more = add i32 %%sum, %%x
  %%next = add nuw nsw i64 %%i, 1
  %%c = icmp eq i64 %%next, %%n
  %(rest)s
out:
  %%r = phi i32 [ %%more, %%%(latch)s ]
  ret i32 %%r
}
declare void @g()"""
PLAIN = LOOP % {"latch": "head", "rest": "br i1 %c, label %out, label %head"}


def engine_text(text: str, *more: str, wanted: tuple[str, ...] = ("address", "thread")) -> str:
    """The text as the engine gets it, verified."""
    import llvmlite.binding as llvm

    module = parse_ir_text(LAYOUT + text)
    instrument_module(module, frozenset((*wanted, *more)), sites=SiteTable())
    output = print_module(module)
    llvm.parse_assembly(output).verify()
    return output


def test_bundles_of_a_copied_loop_name_the_values_of_the_copy() -> None:
    """`assume` holds a value of the loop in its bundle, in the loop and behind it."""
    told = """%x = load i32, ptr %p
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 4) ]"""
    behind = """out:
  %r = phi i32 [ %more, %head ]
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 4) ]"""
    text = PLAIN.replace("%x = load i32, ptr %p", told)
    text = text.replace("out:\n  %r = phi i32 [ %more, %head ]", behind)
    found = engine_text(f"{text}\ndeclare void @llvm.assume(i1)")  # verified
    assert len(re.findall(r"call void @llvm\.assume", found)) == 3


def test_a_counted_loop_asks_for_many_turns_at_once() -> None:
    found = hooks_in(body(engine_text(PLAIN), "f"))
    assert found.count("__irsan_check_read4_both") == 1  # in the version that asks each turn
    assert found.count("__irsan_safepoint") == 1
    for name in ("strip_length", "strip_clean", "races_ignored", "strip_read", "strip_done"):
        assert found.count(f"__irsan_{name}") == 1


def test_a_loop_that_the_low_part_of_its_counter_ends_asks_ahead_too() -> None:
    """With another way out: turns are counted by the whole counter."""
    rest = """%z = icmp eq i32 %x, 7
  br i1 %z, label %out, label %latch
latch:
  %low = trunc i64 %i to i32
  %d = icmp sgt i32 %low, 1
  br i1 %d, label %head, label %out"""
    text = LOOP % {"latch": "latch", "rest": rest}
    text = text.replace("add nuw nsw i64 %i, 1", "add nsw i64 %i, -1")
    text = text.replace("phi i32 [ %more, %latch ]", "phi i32 [ %more, %latch ], [ %sum, %head ]")
    found = hooks_in(body(engine_text(text), "f"))
    # once in the version that asks about races in each turn, once in the one that never does
    assert found.count("__irsan_strip_left") == found.count("__irsan_strip_done") == 2


SEARCH = (
    LOOP % {
        "latch": "latch",
        "rest": "%z = icmp eq i32 %x, 7\n  br i1 %z, label %out, label %latch\n"
        "latch:\n  br i1 %c, label %out, label %head",
    }
).replace("[ %more, %latch ]\n  ret", "[ %more, %latch ], [ %sum, %head ]\n  ret")


def test_a_search_asks_for_few_turns_and_then_for_twice_as_many() -> None:
    found = body(engine_text(SEARCH), "f")
    assert re.search(r"= phi i64 \[ 64, %entry \], \[ %\S+, %\S+ \]", found)
    assert "phi i64 [ 64" not in body(engine_text(PLAIN), "f")


def test_a_search_may_be_entered_from_one_block_by_two_edges() -> None:
    text = SEARCH.replace(
        "entry:\n  br label %head",
        "entry:\n  switch i64 %n, label %head [ i64 5, label %head ]",
    ).replace("[ 0, %entry ]", "[ 0, %entry ], [ 0, %entry ]")
    found = body(engine_text(text), "f")  # verified
    assert re.search(r"= phi i64 \[ 64, %entry \], \[ 64, %entry \], ", found)


def test_all_checks_stay_when_that_is_asked_for() -> None:
    found = hooks_in(body(engine_text(PLAIN, "all-checks"), "f"))
    assert [name for name in found if "strip" in name] == []


def test_a_loop_that_runs_other_code_stays() -> None:
    calls = LOOP % {"latch": "head", "rest": "call void @g()\n  br i1 %c, label %out, label %head"}
    assert "strip" not in " ".join(hooks_in(body(engine_text(calls), "f")))


def test_a_read_behind_a_condition_is_not_recorded_ahead() -> None:
    rest = """%z = icmp eq i32 %x, 7
  br i1 %z, label %more.block, label %latch
more.block:
  %q = getelementptr i32, ptr %b, i64 %i
  %y = load i32, ptr %q
  br label %latch
latch:
  br i1 %c, label %out, label %head"""
    found = hooks_in(body(engine_text(LOOP % {"latch": "latch", "rest": rest}), "f"))
    assert found.count("__irsan_strip_clean") == 2
    assert found.count("__irsan_strip_read") == 0
    assert found.count("__irsan_check_read4_both") == 2
    assert found.count("__irsan_check_read4_thread") == 2


GAPS = PLAIN.replace("getelementptr i32, ptr %a", "getelementptr [4 x i32], ptr %a")


def test_while_races_are_ignored_no_turn_asks_about_them() -> None:
    """Accesses with gaps are not recorded ahead: a second version is for one thread."""
    found = hooks_in(body(engine_text(GAPS), "f"))
    assert found.count("__irsan_races_ignored") == 1
    assert found.count("__irsan_strip_done") == 2
    assert found.count("__irsan_check_read4_thread") == 1
    assert found.count("__irsan_check_read4_both") == 1


def test_the_race_check_alone_has_such_a_version_too() -> None:
    found = hooks_in(body(engine_text(GAPS, wanted=("thread",)), "f"))
    assert found.count("__irsan_strip_done") == 2
    assert found.count("__irsan_check_read4_thread") == 2
    assert "__irsan_strip_clean" not in found


def test_a_safepoint_alone_is_spared() -> None:
    found = hooks_in(body(engine_text(PLAIN, wanted=()), "f"))
    assert [name for name in found if "check" in name] == []
    assert found.count("__irsan_safepoint") == 1  # in the loop as it was
    assert found.count("__irsan_strip_length") == found.count("__irsan_strip_done") == 1


def test_values_that_are_used_behind_the_loop_come_from_both_versions() -> None:
    text = PLAIN.replace("ret i32 %r", "%s = add i32 %more, %r\n  ret i32 %s")
    assert "alloca i32" in body(engine_text(text), "f")


def comparable(findings: list[dict[str, Any]]) -> str:
    """Findings without what depends on the size of code and of stack frames, or on who asked."""
    facts = [_without_origin(_without_frames(finding)) for finding in findings]
    return _CODE_OR_STACK.sub("", json.dumps(facts, sort_keys=True))


def _without_frames(finding: dict[str, Any]) -> dict[str, Any]:
    """Without bytes of memory, and without the shadow of a stack, whose variables lie elsewhere in
    its rows where a frame is larger."""
    rows = (finding.get("shadow") or {}).get("rows", ())
    is_stack = any(STACKS_LO <= int(row["address"], 16) < STACKS_HI for row in rows)
    return {**finding, "memory": None, **({"shadow": None} if is_stack else {})}


def _without_origin(finding: dict[str, Any]) -> dict[str, Any]:
    """Without the words of the object check, where the redzone says the same: an access that hit
    another live object, which a redzone cannot say, has a second hint and keeps them."""
    details, hints = finding.get("details") or {}, finding["hints"]
    if details.get("type") != "derived-pointer" or len(hints) != 1:
        return finding
    assert hints[0].startswith("the pointer was derived from ")
    return {key: value for key, value in finding.items() if key != "details"} | {"hints": []}


def test_the_shadow_of_a_stack_alone_is_not_compared() -> None:
    for address, is_same in ((STACKS_LO, True), (STACKS_HI, False), (STACKS_LO - 16, False)):
        one, other = (
            {"hints": [], "shadow": {"rows": [{"address": hex(address), "shadow": shadow}]}}
            for shadow in ("00f2", "f200")
        )
        assert (comparable([one]) == comparable([other])) is is_same


def test_only_the_origin_of_a_pointer_is_not_compared() -> None:
    origin, hit = "the pointer was derived from an object.", "the address lies in another object."
    finding = {"kind": "overflow", "details": {"type": "derived-pointer"}, "hints": [origin]}
    assert comparable([finding]) == comparable([{"kind": "overflow", "hints": []}])
    jumped = {**finding, "hints": [origin, hit]}
    assert comparable([jumped]) != comparable([finding])


@pytest.mark.parametrize("checks", [DEFAULT_SANITIZERS, frozenset(("memory",))])
@pytest.mark.parametrize("level", [1, 2])
def test_random_programs_report_the_same(
    runner: BatchRunner, tmp_path_factory: pytest.TempPathFactory, level: int,
    checks: frozenset[str],
) -> None:  # fmt: skip
    path = tmp_path_factory.mktemp("loops") / "loops.c"
    statuses: list[int] = []

    @seed(level)
    @settings(
        max_examples=N_PROGRAMS, phases=[Phase.generate], database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(loop_programs(partly_set="memory" in checks))
    def compare(text: str) -> None:
        assert outcome(runner, path, text, level, "", checks) == outcome(
            runner, path, text, level, "keep_all_checks=1", checks, statuses
        )

    compare()
    assert 0 < sum(status == 66 for status in statuses) < len(statuses)


def outcome(
    runner: BatchRunner, path: Path, text: str, level: int, flags: str, checks: frozenset[str],
    statuses: list[int] | None = None,
) -> tuple[int, bytes, str]:  # fmt: skip
    """Exit status, output and findings of one run."""
    path.write_text(text)
    (result,) = runner.run(
        [path], [len(text) % 5], environment={"IRSAN_OPTIONS": flags}, opt_level=level,
        sanitize=checks,
    )  # fmt: skip
    if statuses is not None:
        statuses.append(result.exit_status)
    return result.exit_status, result.stdout, comparable(result.findings)
