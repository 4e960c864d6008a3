"""Edits of sources: what they keep, and where they say that things are now."""

from __future__ import annotations

from random import Random

from irsan.reports.derived.source_tokens import tokens_of
from tests.support.source_edits import SAFE, functions_of, functions_swapped, moved_out, pieces_of

TEXT = """#include <stdio.h>
struct s { int a; } one;
static int f(int x) { if (x) { return 1; } return 2; }
__attribute__((noinline)) static int g(void) { return 3; }
int main(void) { return f(g()); }
"""


def words(text: str) -> list[str]:
    return [token.text for token in tokens_of(text)]


def test_functions_are_found() -> None:
    tokens = tokens_of(TEXT)
    found = [(tokens[span.start].text, tokens[span.stop - 1].line) for span in functions_of(tokens)]
    assert found == [("static", 3), ("__attribute__", 4), ("int", 5)]


def test_functions_that_do_not_call_each_other_change_places() -> None:
    edit = functions_swapped(TEXT, Random(1))
    assert edit is not None
    assert edit.text.index("int g(") < edit.text.index("int f(")
    line, column = edit.place(3, 12)
    assert edit.text.splitlines()[line - 1][column - 1] == "f"
    assert sorted(words(edit.text)) == sorted(words(TEXT))
    calling = "int g(void) { return 0; }\nint f(void) { return g(); }"
    assert functions_swapped(calling, Random(1)) is None


def test_a_function_moves_into_a_header() -> None:
    moved = moved_out(TEXT, Random(1), "moved.h")
    assert moved is not None
    main, header = moved
    assert '#include "moved.h"' in main.splitlines()
    assert sorted(words(main) + words(header)) == sorted(words(TEXT))
    assert moved_out("int main(void) { return 0; }", Random(1), "moved.h") is None


def test_other_edits_keep_all_tokens() -> None:
    for number, change in enumerate(SAFE.values()):
        edit = change(TEXT, Random(number))
        assert "".join(words(edit.text)).endswith("".join(words(TEXT)))
        for piece in pieces_of(TEXT)[0]:
            line, column = edit.place(piece.token.line, piece.token.column)
            assert edit.text.splitlines()[line - 1][column - 1 :].startswith(piece.text)
