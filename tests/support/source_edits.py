"""Edits of C and C++ sources that keep their meaning, and where each place of a file has gone.

    edit = relaid_out(text, random)      other line breaks, blanks and comments between the tokens
    edit.place(12, 5)                    where line 12, column 5 is now

A text is taken apart into pieces, a token with what stands before it; an edit puts the pieces
together in another way. Directives of the preprocessor stay lines of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from irsan.reports.derived.source_tokens import Token, token_at, tokens_of

_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*\n?", re.MULTILINE)
_COMMENT = "/* {} */"


@dataclass(frozen=True, slots=True)
class Piece:
    """A token of the old text, the text before it, and its new text."""

    token: Token
    before: str
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A new text, the token of the old one at each place, and where that token is now."""

    text: str
    old: tuple[Token, ...]
    new_places: dict[int, tuple[int, int]]

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Line and column of what was at a place; column 0 stays unknown."""
        number = token_at(self.old, line, max(column, 1))
        if line <= 0 or number < 0:
            return line, column
        token = self.old[number]
        new_line, new_column = self.new_places[number]
        inside = max(column - token.column, 0) if token.line == line else 0
        return new_line, new_column + inside if column else 0


def pieces_of(text: str) -> tuple[list[Piece], str]:
    """The pieces of a text, and what is behind its last token."""
    offsets = [0]
    for line in text.split("\n"):
        offsets.append(offsets[-1] + len(line.encode()) + 1)
    encoded = text.encode()
    pieces, end = [], 0
    for token in tokens_of(text):
        start = offsets[token.line - 1] + token.column - 1
        pieces.append(Piece(token, encoded[end:start].decode(), token.text))
        end = start + len(token.text.encode())
    return pieces, encoded[end:].decode()


def edit_of(text: str, pieces: Sequence[Piece], tail: str) -> Edit:
    """The edit that puts pieces of a text together, in the order given."""
    old = tokens_of(text)
    numbers = {token: number for number, token in enumerate(old)}
    places: dict[int, tuple[int, int]] = {}
    parts: list[str] = []
    line, column = 1, 1
    for piece in pieces:
        line, column = _behind(piece.before, line, column)
        places[numbers[piece.token]] = (line, column)
        line, column = _behind(piece.text, line, column)
        parts += (piece.before, piece.text)
    return Edit("".join([*parts, tail]), old, places)


def _behind(part: str, line: int, column: int) -> tuple[int, int]:
    before, newline, rest = part.rpartition("\n")
    n_bytes = len(rest.encode())
    return (line + before.count("\n") + 1, n_bytes + 1) if newline else (line, column + n_bytes)


def lines_inserted(text: str, random: Random) -> Edit:
    """Comments, blank lines and declarations above the first token."""
    pieces, tail = pieces_of(text)
    lines = ["\n", "// a remark; with { signs }\n", f"extern int edited_{random.randrange(99)};\n"]
    more = "".join(random.choice(lines) for _ in range(random.randint(1, 9)))
    first = replace(pieces[0], before=more + pieces[0].before)
    return edit_of(text, [first, *pieces[1:]], tail)


def relaid_out(text: str, random: Random) -> Edit:
    """Other white space and comments between all tokens."""
    pieces, tail = pieces_of(text)
    changed = [
        replace(piece, before=_gap(piece.before, random, is_first=number == 0))
        for number, piece in enumerate(pieces)
    ]
    return edit_of(text, changed, tail)


def _gap(before: str, random: Random, *, is_first: bool) -> str:
    """Another gap that separates as much, with its directives on lines of their own."""
    directives = "".join(f"{each.strip()}\n" for each in _DIRECTIVE.findall(before))
    if directives:
        return ("" if is_first else "\n") + directives + " " * random.randrange(5)
    comment = _COMMENT.format(random.choice(("seen", "a; b", "}{")))
    return random.choice(("\n", " ", "\n\n\t", f" {comment} ", "  \n  ")) if before else ""


def comments_removed(text: str, random: Random) -> Edit:
    """No comments, single blanks, directives kept."""
    del random
    pieces, tail = pieces_of(text)
    changed = []
    for number, piece in enumerate(pieces):
        found = "".join(f"{each.strip()}\n" for each in _DIRECTIVE.findall(piece.before))
        gap = ("\n" * bool(number) + found) if found else " " * bool(piece.before)
        changed.append(replace(piece, before=gap))
    return edit_of(text, changed, tail)


def renamed(text: str, old: str, new: str) -> Edit:
    """Every token `old` is called `new`."""
    pieces, tail = pieces_of(text)
    changed = [replace(p, text=new) if p.text == old else p for p in pieces]
    return edit_of(text, changed, tail)


def retyped(text: str, line: int, column: int) -> Edit:
    """The statement at a place is another one: a call is put behind its last token."""
    pieces, tail = pieces_of(text)
    tokens = [piece.token for piece in pieces]
    number = token_at(tokens, line, column)
    changed = [*pieces]
    changed[number] = replace(pieces[number], text=f"edited ( ) , {pieces[number].text}")
    return edit_of(text, changed, tail)


SAFE: dict[str, Callable[[str, Random], Edit]] = {
    "insert": lines_inserted,
    "reformat": relaid_out,
    "strip": comments_removed,
}


def functions_of(tokens: Sequence[Token]) -> list[range]:
    """Numbers of the tokens of each function that is defined on the top level, in order."""
    found, first, depth, body = [], 0, 0, -1
    for number, token in enumerate(tokens):
        if token.text == "{":
            if not depth:
                body = number
            depth += 1
        depth -= token.text == "}"
        is_function = token.text == "}" and tokens[body - 1].text == ")"
        if depth or not (is_function or token.text == ";"):
            continue  # `struct { ... } x` goes on
        if is_function:
            found.append(range(first, number + 1))
        first = number + 1
    return found


def functions_swapped(text: str, random: Random) -> Edit | None:
    """Two functions that follow each other and do not name each other change places."""
    pieces, tail = pieces_of(text)
    spans = functions_of([piece.token for piece in pieces])
    pairs = [
        (one, other) for one, other in pairwise(spans)
        if one.stop == other.start and not _mention(pieces, one, other)
        and not _DIRECTIVE.search(pieces[other.start].before)
    ]  # fmt: skip
    if not pairs:
        return None
    one, other = random.choice(pairs)
    before = pieces[one.start].before, pieces[other.start].before
    first, second = ([*pieces[span.start : span.stop]] for span in (other, one))
    first[0], second[0] = replace(first[0], before=before[0]), replace(second[0], before=before[1])
    order = [*pieces[: one.start], *first, *second, *pieces[other.stop :]]
    return edit_of(text, order, tail)


def _mention(pieces: Sequence[Piece], one: range, other: range) -> bool:
    """Whether one of two functions has the other's name in it."""
    words = ({pieces[number].token.text for number in span} for span in (one, other))
    return any(name in text for name, text in zip(
        (_name(pieces, other), _name(pieces, one)), words, strict=True
    ))  # fmt: skip


def _name(pieces: Sequence[Piece], span: range) -> str:
    """What a function is called: the word before its parameters."""
    texts = [pieces[number].token.text for number in span]
    at, depth = texts.index("{") - 1, 0
    for number in range(at, 0, -1):
        depth += {")": 1, "(": -1}.get(texts[number], 0)
        if not depth:
            return texts[number - 1]
    return ""


def moved_out(text: str, random: Random, header: str) -> tuple[str, str] | None:
    """The text and that of a file `header`, which has one of its functions and is included."""
    pieces, tail = pieces_of(text)
    spans = functions_of([piece.token for piece in pieces])
    names = [{piece.token.text for piece in pieces[s.start : s.stop]} for s in spans]
    movable = [span for span, words in zip(spans, names, strict=True) if "main" not in words]
    if not movable:
        return None
    span = random.choice(movable)
    own = [*pieces[span.start : span.stop]]
    before, own[0] = own[0].before, replace(own[0], before="")
    rest = [piece.before + piece.text for piece in pieces[span.stop :]]
    head = [piece.before + piece.text for piece in pieces[: span.start]]
    main = "".join([*head, before, f'\n#include "{header}"\n', *rest, tail])
    return main, "".join(piece.before + piece.text for piece in own) + "\n"
