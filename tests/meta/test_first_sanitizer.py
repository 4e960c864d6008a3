"""The tutorial shows the code of the files, and not more of it than it promises."""

from __future__ import annotations

import re

from tests.meta.house import ROOT

_BLOCK = re.compile(r"^`([\w/.]+)`:\n\n```(?:python|llvm)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TEXT = (ROOT / "docs" / "first-sanitizer.md").read_text(encoding="utf-8")
BLOCKS = _BLOCK.findall(TEXT)


def test_every_block_is_code_of_the_file_that_it_names() -> None:
    assert len(BLOCKS) == TEXT.count("\n```") // 2 >= 6
    wrong = [path for path, code in BLOCKS if code not in (ROOT / path).read_text(encoding="utf-8")]
    assert wrong == []


def test_all_four_parts_are_shown_in_no_more_lines_than_promised() -> None:
    rooms = {path.partition("/")[0] for path, _ in BLOCKS}
    assert rooms == {"instrument", "runtime", "engine"}
    lines = [line for _, code in BLOCKS for line in code.splitlines() if line.strip()]
    assert len(lines) <= 60
