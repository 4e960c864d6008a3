"""Source text as tokens, without comments and white space: what reformatting leaves alone.

It reads C, C++ and Rust well enough to separate words, literals and comments, and takes any text.
Directives of the preprocessor are skipped like comments.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(
    r"""(?P<skip>(?:(?<=\n)|\A)[ \t]*\#[ \t]*(?:include|define|undef|if|ifdef|ifndef|elif|else
        |endif|pragma|line|error|warning)\b(?:\\\r?\n|[^\n])*
      |[ \t\r\f\v\\]+|//[^\n]*|/\*.*?(?:\*/|\Z))
    |(?P<newline>\n)
    |(?P<word>(?:u8|[uUL])?R?"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])'|[^\W\d]\w*|\.?\d[\w.']*
      |->\*?|::|<<=|>>=|<=>|\.\.\.|[-+*/%&|^<>=!]=|&&|\|\||\+\+|--|<<|>>|[^\w\s])""",
    re.VERBOSE | re.DOTALL,
)
_ENDS: Final = frozenset(";{}")
_HEADS: Final = frozenset({"if", "for", "while", "switch"})
_MAX_SIDE: Final = 120  # tokens of a statement on either side of the place


class Token(NamedTuple):
    """A token and where it begins; columns count bytes of UTF-8 from 1, as compilers do."""

    line: int
    column: int
    text: str

    @property
    def end_column(self) -> int:
        """Column behind its last byte."""
        return self.column + len(self.text.encode("utf-8", "surrogatepass"))


def tokens_of(text: str) -> tuple[Token, ...]:
    """All tokens of a text, in order."""
    return tuple(_tokens(text))


def _tokens(text: str) -> Iterator[Token]:
    line, start = 1, 0
    is_ascii = text.isascii()
    for found in _TOKEN.finditer(text):
        if found.lastgroup == "word":
            before = text[start : found.start()]
            column = len(before) if is_ascii else len(before.encode("utf-8", "surrogatepass"))
            yield Token(line, column + 1, found[0])
        elif "\n" in found[0]:
            line += found[0].count("\n")
            start = found.start() + found[0].rindex("\n") + 1


def token_at(tokens: Sequence[Token], line: int, column: int) -> int:
    """Number of the token at a place, else of the nearest on its line; -1 when it has none."""
    number = bisect_left(tokens, (line, column + 1)) - 1
    after = number + 1
    is_on_line = number >= 0 and tokens[number].line == line
    if is_on_line and column < tokens[number].end_column:
        return number
    if after < len(tokens) and tokens[after].line == line:
        return after
    return number if is_on_line else -1


def column_of(tokens: Sequence[Token], line: int, word: str) -> int:
    """Column of the first such token of a line; 0 when it has none."""
    for number in range(bisect_left(tokens, (line, 0)), len(tokens)):
        if tokens[number].line != line:
            break
        if tokens[number].text == word:
            return tokens[number].column
    return 0


def statement_around(tokens: Sequence[Token], line: int, column: int) -> str:
    """The statement at a place with one blank between its tokens; empty when there is none.

    It reaches from one `;`, `{` or `}` to the next. The head of an `if` or a loop and the statement
    under it are two, whether braces stand between them or not.
    """
    number = token_at(tokens, line, column)
    if number < 0:
        return ""
    while number and tokens[number].text in _ENDS and tokens[number - 1].line == line:
        number -= 1  # a compiler that points behind the statement means the statement
    first, last = _first(tokens, number), _last(tokens, number)
    texts = [token.text for token in tokens[first:last]]
    return " ".join(_without_heads(texts, number - first))


def _first(tokens: Sequence[Token], number: int) -> int:
    lowest = max(number - _MAX_SIDE, 0)
    while number > lowest:
        text = tokens[number - 1].text
        if text in "{}" or (text == ";" and not _separates_for(tokens, number - 1)):
            break
        number -= 1
    return number


def _last(tokens: Sequence[Token], number: int) -> int:
    highest = min(number + _MAX_SIDE, len(tokens))
    while number < highest:
        text = tokens[number].text
        if text in "{}" or (text == ";" and not _separates_for(tokens, number)):
            break
        number += 1
    return number


def _separates_for(tokens: Sequence[Token], number: int) -> bool:
    """Whether a `;` stands within parentheses."""
    depth = 0
    for place in range(number - 1, max(number - _MAX_SIDE, -1), -1):
        text = tokens[place].text
        if text in "{}":
            return False
        depth += (text == ")") - (text == "(")
        if depth < 0:
            return True
    return False


def _without_heads(texts: list[str], place: int) -> list[str]:
    """The head that holds the token number `place`, or what stands under all heads before it."""
    while place > 0 and texts[0] in ("else", "do"):
        texts, place = texts[1:], place - 1
    while texts and texts[0] in _HEADS:
        end = _end_of_head(texts)
        if place < end or end == len(texts):
            return texts[:end]
        texts, place = texts[end:], place - end
        while place > 0 and texts[0] in ("else", "do"):
            texts, place = texts[1:], place - 1
    return texts


def _end_of_head(texts: Sequence[str]) -> int:
    depth = 0
    for number, text in enumerate(texts):
        depth += (text == "(") - (text == ")")
        if text == ")" and depth == 0:
            return number + 1
    return len(texts)
