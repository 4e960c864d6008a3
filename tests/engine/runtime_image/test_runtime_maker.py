"""The process that builds the runtime: what it says, what it gives, and how it fails."""

from __future__ import annotations

import io

import pytest

from irsan.engine.runtime_image import runtime_maker
from irsan.errors import InternalError


def test_lines_are_told_and_the_image_is_what_follows_its_length() -> None:
    told: list[str] = []
    answers = io.BytesIO(b"1 of 2\n2 of 2\n=5\n\n=ab\nrest")
    assert runtime_maker._received(answers, told.append) == b"\n=ab\n"
    assert told == ["1 of 2", "2 of 2"]


@pytest.mark.parametrize("cut", [b"", b"1 of 2\n", b"=5\nabcd"])
def test_an_image_that_is_cut_off_is_none(cut: bytes) -> None:
    assert runtime_maker._received(io.BytesIO(cut), lambda _: None) is None


def test_a_process_that_fails_is_an_error_with_its_last_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runtime_maker.sys, "executable", "/bin/cat")
    with pytest.raises(InternalError, match=r"could not be built:\n.*cat: .*"):
        runtime_maker.made_elsewhere(lambda _: None)
