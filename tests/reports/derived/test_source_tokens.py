"""Tokens and statements of source text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.reports.derived.source_tokens import statement_around, token_at, tokens_of


def statement(text: str, line: int = 1, column: int = 1) -> str:
    return statement_around(tokens_of(text), line, column)


def test_tokens_have_places_in_bytes() -> None:
    found = [(t.line, t.column, t.text) for t in tokens_of('é = "é;"; // c\n  p->x /* a\nb */ ++')]
    assert found == [
        (1, 1, "é"), (1, 4, "="), (1, 6, '"é;"'), (1, 11, ";"),
        (2, 3, "p"), (2, 4, "->"), (2, 6, "x"), (3, 6, "++"),
    ]  # fmt: skip


def test_directives_are_skipped() -> None:
    text = "#define A(x) \\\n  x;\n  # if B\na = b;\n#endif"
    assert [t.text for t in tokens_of(text)] == ["a", "=", "b", ";"]
    assert [t.text for t in tokens_of("#[derive(Debug)]")][:2] == ["#", "["]


@pytest.mark.parametrize("column", [3, 5, 9])
def test_any_column_of_a_statement_means_it(column: int) -> None:
    assert statement("{ a = b[i]; c(); }", 1, column) == "a = b [ i ]"


@pytest.mark.parametrize(
    ("text", "line", "column", "expected"),
    [
        ("if (p->x) q++;", 1, 5, "if ( p -> x )"),
        ("if (p->x) q++;", 1, 11, "q ++"),
        ("if (p->x) {\n q++;\n}", 2, 2, "q ++"),
        ("else if (a) b();", 1, 6, "if ( a )"),
        ("else b();", 1, 6, "b ( )"),
        ("for (i = 0; i < n; i++) a[i] = 0;", 1, 13, "for ( i = 0 ; i < n ; i ++ )"),
        ("for (i = 0; i < n; i++) a[i] = 0;", 1, 25, "a [ i ] = 0"),
        ("while (x) while (y) z();", 1, 21, "z ( )"),
        ("a();", 1, 4, "a ( )"),
        ("  // nothing\n", 1, 3, ""),
        ("a;", 9, 1, ""),
    ],
)
def test_statements(text: str, line: int, column: int, expected: str) -> None:
    assert statement(text, line, column) == expected


def test_a_line_without_a_column_means_its_first_statement() -> None:
    assert statement("a();\nb();\n", 2, 0) == "b ( )"


@given(st.text(max_size=200), st.integers(0, 9), st.integers(0, 90))
def test_any_text_has_tokens(text: str, line: int, column: int) -> None:
    tokens = tokens_of(text)
    assert [(t.line, t.column) for t in tokens] == sorted((t.line, t.column) for t in tokens)
    number = token_at(tokens, line, column)
    assert number == -1 or tokens[number].line == line
    assert isinstance(statement_around(tokens, line, column), str)


def test_unclosed_text_ends() -> None:
    assert [t.text for t in tokens_of('a "b\nc /* d')] == ["a", '"b', "c"]
