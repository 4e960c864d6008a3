"""Text of LLVM 14 and of later ones up to 18 is read as what it means."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llvmlite import binding as llvm

from irsan.engine.front_end.ir_input import read_ir_file, text_to_bitcode
from irsan.engine.front_end.older_text import modernised, text_writer
from irsan.errors import UsageError
from tests.oracles.typed_pointers import Kind, written

FOLDER = Path(__file__).with_name("older")
WORDS = st.sampled_from(["i8", "i32", "double", "%struct.node", '%"class.a::b*"', "%7", "float"])


def _built(inner: st.SearchStrategy[Kind]) -> st.SearchStrategy[Kind]:
    some = st.lists(inner, min_size=1, max_size=3)
    count: Any = st.integers(1, 9)
    return st.one_of(
        st.tuples(st.just("pointer"), inner, st.integers(0, 2)),
        st.tuples(st.just("pointer"), st.tuples(st.just("function"), inner, some), st.just(0)),
        st.tuples(st.sampled_from(["array", "vector"]), count, inner),
        st.tuples(st.sampled_from(["struct", "packed"]), some),
    )


KINDS = st.recursive(st.tuples(st.just("word"), WORDS), _built, max_leaves=12)


@given(st.lists(KINDS, min_size=1, max_size=4))
def test_types_are_converted_as_their_trees_are(kinds: list[Kind]) -> None:
    typed, plain = (
        "call void @f(" + ", ".join(f"{written(k, typed=t)} %v" for k in kinds) + ")"
        for t in (True, False)
    )
    assert modernised(typed) == plain
    assert modernised(plain) == plain


@pytest.mark.parametrize(
    "text", ['@s = constant [4 x i8] c"i8*\\00"', "; i8* as it was", '!0 = !{!"a *b"}', "ret void"]
)
def test_what_is_no_type_stays(text: str) -> None:
    assert modernised(text) == text


def test_ranges_of_indices_are_left_out() -> None:
    old = "getelementptr inbounds ({ [3 x i8*] }, { [3 x i8*] }* @v, i32 0, inrange i32 0, i32 2)"
    new = "getelementptr inbounds ({ [3 x ptr] }, ptr @v, i32 0,  i32 0, i32 2)"
    assert modernised(old) == new
    today = "getelementptr inbounds inrange(-16, 8) ({ [3 x ptr] }, ptr @v, i32 0, i32 0, i32 2)"
    assert modernised(today) == today


@pytest.mark.parametrize(
    ("text", "writer"),
    [
        ('!0 = !{!"Debian clang version 14.0.6"}', ("clang", 14)),
        ('!0 = !{!"rustc version 1.63.0"}', ("rustc", 1)),
        ('!1 = !{!"clang version 13.0.1"}\n!2 = !{!"clang version 15.0.7"}', ("clang", 15)),
        ("ret void", None),
    ],
)
def test_who_wrote_a_text(text: str, writer: tuple[str, int] | None) -> None:
    assert text_writer(text) == writer


@pytest.mark.parametrize("path", sorted(FOLDER.glob("clang*")), ids=lambda path: path.name)
def test_files_of_older_compilers_are_read(path: Path) -> None:
    module = llvm.parse_bitcode(read_ir_file(path), llvm.create_context())
    names = {one.name for one in module.functions if not one.is_declaration}
    assert {"main", "worker"} <= names


def test_a_program_of_an_older_compiler_is_checked() -> None:
    command = [sys.executable, "-m", "irsan", "run", str(FOLDER / "clang14.ll")]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "WARNING: ThreadSanitizer: data race" in answer.stderr
    assert "threads.cpp:10:" in answer.stderr


def test_a_text_that_stays_unreadable_says_what_to_do() -> None:
    text = b'define i8* @f() { frob i8* }\n!0 = !{!"clang version 14.0.6"}\n'
    with pytest.raises(UsageError) as caught:
        text_to_bitcode(text, Path("a.ll"))
    said = str(caught.value)
    assert said.startswith("a.ll:1:")
    assert "a.ll is text of clang 14" in said
    assert "llvm-as-14" in said
