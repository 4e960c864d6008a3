"""Templates are LLVM as they stand; what is filled in are the numbers of the layout."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import pytest

from irsan.engine.glue import templates
from irsan.engine.glue.templates import filled, join, names, source, template
from irsan.engine.glue.text import PROFILE_METADATA, context_field
from irsan.errors import InternalError
from irsan.runtime.kernels import actions
from irsan.runtime.layout import events

ALL = names()
_LIMIT = 100  # columns, but for what LLVM wants in one piece
_ONE_PIECE = re.compile(r"@[\w.]+ = private constant")


def parsed(text: str) -> Any:
    module = llvm.parse_assembly(text)
    module.verify()
    return module


@pytest.mark.parametrize("name", ALL)
def test_a_template_is_llvm_as_it_stands_and_filled_in(name: str) -> None:
    as_it_stands = parsed(source(name))
    made = parsed(template(name) + PROFILE_METADATA)
    defined = [f.name for f in as_it_stands.functions if not f.is_declaration]
    assert defined == [f.name for f in made.functions if not f.is_declaration]
    assert all(v.name for v in made.global_variables if v.linkage == llvm.Linkage.external)


@pytest.mark.parametrize("name", ALL)
def test_what_a_template_declares_it_uses(name: str) -> None:
    text = source(name)
    declared = re.findall(r'^@("[^"\n]+"|[\w.]+) = external', text, re.MULTILINE)
    declared += re.findall(r"^declare [^@\n]*@([\w.]+)\(", text, re.MULTILINE)
    code = re.sub(r"^(declare .*|@.* = external .*)\n", "", text, flags=re.MULTILINE)
    assert [one for one in declared if not re.search(rf"@{re.escape(one)}(?![\w.])", code)] == []
    assert len(declared) == len(set(declared))


@pytest.mark.parametrize("name", ALL)
def test_no_number_of_the_layout_is_copied_into_a_template(name: str) -> None:
    code = re.sub(r'^(?:;|module asm|@).*$|c"[^"]*"', "", source(name), flags=re.MULTILINE)
    assert re.findall(r"inttoptr \(i64 \d+", code) == []
    if name != "soft_floats":
        assert re.findall(r"i64 -?\d{4,}", code) in ([], ["i64 1000000000"])


@pytest.mark.parametrize("name", ALL)
def test_a_template_says_what_it_is_in_lines_of_a_readable_width(name: str) -> None:
    text = source(name)
    assert re.match(r"; \w+", text)
    long = [line for line in text.splitlines() if len(line) > _LIMIT]
    assert [line for line in long if not _ONE_PIECE.match(line)] == []
    assert len(text.splitlines()) <= 400


def test_symbols_become_numbers_and_addresses() -> None:
    text = (
        "@events.CRASH = external global i8\n@ctx.event.number = external global i8\n"
        "define void @f() {\n"
        "  store i64 ptrtoint (ptr @events.CRASH to i64), ptr @ctx.event.number\n  ret void\n}\n"
    )
    parsed(text)
    made = filled(text)
    stored = f"store i64 {int(events.CRASH)}, {context_field('event.number')}"
    assert made == f"define void @f() {{\n  {stored}\n  ret void\n}}\n"


def test_addresses_of_the_templates_own_symbols_stay() -> None:
    text = "define i64 @f() {\n  ret i64 ptrtoint (ptr @f to i64)\n}\n"
    assert filled(text) == text


def test_another_number_comes_from_its_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    before = template("act")
    monkeypatch.setattr(events, "HANDLE_SIGNALS", 64)
    assert before.count(", 64\n") == 0 and template("act").count(", 64\n") == 1


def test_a_literal_must_be_the_number_that_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    template("act")
    monkeypatch.setattr(actions, "RETRY", 9)
    with pytest.raises(InternalError, match=r"actions\.RETRY is 9, .*: i32 2, label %retry"):
        template("act")


def test_every_action_has_its_case() -> None:
    wanted = {name for name, value in vars(actions).items() if name.isupper() and int(value)}
    assert set(re.findall(r"; = actions\.(\w+)", source("act"))) == wanted


def test_a_name_that_is_nothing_is_an_error_of_irsan() -> None:
    with pytest.raises(InternalError, match=r"@events\.NO_SUCH, which is nothing known"):
        filled("@events.NO_SUCH = external global i8\n")


def test_metadata_of_its_own_is_refused() -> None:
    with pytest.raises(InternalError, match="metadata of its own: !7"):
        filled("!7 = !{i32 1}\n")


def test_joined_texts_declare_only_what_none_defines() -> None:
    first = "declare i32 @g(i64)\ndeclare void @h(ptr)\n@v = external global i64\n"
    second = "declare void @h(ptr)\ndefine internal i32 @g(i64 %n) {\n  ret i32 0\n}\n"
    second += "@v = global i64 5\n"
    text = join([first, second])
    module = parsed(text)
    assert text.count("@g(") == 1 and text.count("@h(") == 1 and text.count("@v =") == 1
    assert not module.get_function("g").is_declaration and module.get_function("h").is_declaration


def test_types_come_first_and_once() -> None:
    uses = "%a = type [4 x i8]\ndefine void @f() {\n  %p = alloca %a\n  ret void\n}\n"
    text = join(["define void @g() {\n  ret void\n}\n", uses, "%a = type [4 x i8]\n"])
    assert text.startswith("%a = type [4 x i8]\n") and text.count("= type") == 1
    with pytest.raises(InternalError, match="two types %a"):
        join([uses, "%a = type [8 x i8]\n"])


@pytest.mark.parametrize(
    "other",
    [
        "define i32 @f(i32 %a) {\n  ret i32 0\n}\n",
        "define i64 @f(i64 %a) {\n  ret i64 0\n}\n",
        "define preserve_mostcc i32 @f(i64 %a) {\n  ret i32 0\n}\n",
        "define i32 @f(i64 %a, ptr %b) {\n  ret i32 0\n}\n",
        "declare void @f(i64)\n",
    ],
)
def test_a_declaration_of_another_type_is_refused(other: str) -> None:
    with pytest.raises(InternalError, match=r"declares @f as .*, but it is "):
        join(["declare i32 @f(i64) cold\n", other])


def test_what_is_linked_into_programs_is_a_folder() -> None:
    inlined = [name for name in ALL if name.startswith(templates.INLINED)]
    assert inlined == names(templates.INLINED) != []
    for name in inlined:
        module = parsed(source(name))
        made = [function for function in module.functions if not function.is_declaration]
        assert all("alwaysinline" in " ".join(map(str, one.attributes)) for one in made)


def test_a_folder_of_templates_has_nothing_else() -> None:
    others = [p for p in Path(templates.FOLDER).rglob("*") if p.is_file() and p.suffix != ".ll"]
    assert others == []
