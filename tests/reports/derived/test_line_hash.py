"""GitHub's names of lines, against values that its own action gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.reports.derived.line_hash import line_hashes

_BLOCK, _FACTOR, _END = 100, 37, 65535


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["c129715d7a2bc9a3:1"]),
        (
            " a\nb\n  \t\tc\n d",
            ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"],
        ),
    ],
)
def test_known_values(text: str, expected: list[str]) -> None:
    assert list(line_hashes(text)) == expected


def plain_hashes(text: str) -> list[str]:
    """The hash of each line by its definition: a hundred characters from its start on."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace(" ", "").replace("\t", "")
    values = [*map(ord, plain), _END, *[0] * _BLOCK]
    starts = [0, *(number + 1 for number, value in enumerate(plain) if value == "\n")]
    names: list[str] = []
    seen: list[int] = []
    for start in starts:
        number = 0
        for value in values[start : start + _BLOCK]:
            number = (number * _FACTOR + value) % (1 << 64)
        seen.append(number)
        names.append(f"{number:x}:{seen.count(number)}")
    return names


@given(st.text(alphabet="ab \t\r\nxyz;{}", max_size=300))
def test_it_is_the_hash_of_a_hundred_characters(text: str) -> None:
    assert list(line_hashes(text)) == plain_hashes(text)


def test_lines_above_do_not_count() -> None:
    lines = [f"int a{n} = {n};" for n in range(40)]
    assert line_hashes("\n".join(["x", "", *lines]))[2:] == line_hashes("\n".join(lines))
