"""Runs of hooks: which instructions become one helper, and that it does what they did apart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner
from irsan.engine.interp.dispatch import TABLE
from irsan.engine.interp.hook_runs import MAX_HOOKS
from irsan.engine.interp.opcodes import NUMBERS
from irsan.ir.reading import parse_ir_text
from tests.support.lowered_text import first_code, lowered
from tests.support.random_ir import random_program

HOOKS = """
declare void @__irsan_site(i32)
declare void @__irsan_check_read8_both(ptr, i32)
declare i64 @other(ptr)
"""
ACCESS = (
    HOOKS
    + """
define i64 @access(ptr %p, i64 %i) {{
  %a = getelementptr i64, ptr %p, i64 %i
  call void @__irsan_site(i32 3)
  call void @__irsan_check_read8_both(ptr %a, i32 4)
  {end}
  ret i64 %v
}}
"""
)


def helpers(text: str) -> list[str]:
    """The bodies of the helpers of a lowered module."""
    found = re.findall(r"define internal i64 @irsan\.helper\.\d+\(.*?\n}", text, re.DOTALL)
    assert all(f"@{TABLE}" in body for body in found)
    return found


def test_an_address_its_check_and_the_access_are_one_helper() -> None:
    text = ACCESS.format(end="%v = load i64, ptr %a")
    [helper] = helpers(lowered(text))
    parts = ("@__irsan_site(", "@__irsan_check", "load i64, ptr %address")
    places = [helper.index(part) for part in parts]
    assert places == sorted(places)
    assert not {NUMBERS["gep64"], NUMBERS["ld64"], NUMBERS["ldx64"]} & first_code(text)
    assert helper.count("store i64") == 1  # the result; nobody else wants the address


def test_an_address_that_is_used_later_is_kept() -> None:
    text = ACCESS.format(end="%x = load i64, ptr %a\n  %v = call i64 @other(ptr %a)")
    assert any("store ptr %address" in helper for helper in helpers(lowered(text)))


def test_pointers_of_other_address_spaces_keep_their_type() -> None:
    text = HOOKS + """
define i64 @access(ptr addrspace(1) %p, i64 %i) {
  %a = getelementptr i64, ptr addrspace(1) %p, i64 %i
  call void @__irsan_site(i32 3)
  %v = load i64, ptr addrspace(1) %a
  call void @__irsan_site(i32 4)
  store i64 %v, ptr addrspace(1) %p
  ret i64 %v
}
"""
    assert sum("ptr addrspace(1)" in helper for helper in helpers(lowered(text))) == 2
    parse_ir_text(lowered(text))


def test_an_access_behind_the_run_uses_the_kept_address() -> None:
    text = ACCESS.format(end="%x = load i64, ptr %a\n  %v = add i64 %x, 1\n  store i64 %v, ptr %a")
    assert NUMBERS["st64"] in first_code(text)
    assert NUMBERS["stx64"] not in first_code(text)


def test_a_pointer_stored_where_it_points_is_at_hand() -> None:
    [helper] = helpers(lowered(ACCESS.format(end="store ptr %a, ptr %a\n  %v = add i64 %i, 1")))
    assert "store ptr %address, ptr %address" in helper


def test_a_call_goes_with_its_site() -> None:
    text = HOOKS + """
define i64 @f(ptr %p) {
  call void @__irsan_site(i32 3)
  %v = call i64 @other(ptr %p)
  ret i64 %v
}
"""
    [helper] = helpers(lowered(text))
    assert "@__irsan_site(" in helper and "@other(" in helper


@pytest.mark.parametrize("n_hooks", [1, MAX_HOOKS, MAX_HOOKS + 1, 3 * MAX_HOOKS])
def test_a_run_ends(n_hooks: int) -> None:
    sites = "\n".join([f"  call void @__irsan_site(i32 {n})" for n in range(n_hooks)])
    text = lowered(f"{HOOKS}\ndefine void @f() {{\n{sites}\n  ret void\n}}\n")
    most = max(helper.count("call void @__irsan_site(") for helper in helpers(text))
    assert most == min(n_hooks, MAX_HOOKS)


@pytest.mark.parametrize("seed", range(100, 104))
def test_random_programs_do_the_same_with_all_checks(
    runner: BatchRunner, seed: int, tmp_path: Path
) -> None:
    source = tmp_path / f"random{seed}.ll"
    source.write_text(random_program(seed, 12))
    (plain,) = runner.run([source], [0], sanitize=frozenset({"leak"}), engine="jit")
    checks = frozenset({"address", "thread", "undefined"})
    (checked,) = runner.run([source], [0], sanitize=checks, engine="interp")
    assert plain.exit_status == 0, plain.stderr
    assert checked.stdout == plain.stdout, checked.stderr
