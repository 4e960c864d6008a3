"""@FILE on command lines, of irsan and of irsan-cc."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.errors import UsageError
from irsan.response_files import expanded


def test_files_in_files_and_words_that_name_none(tmp_path: Path) -> None:
    (tmp_path / "inner").write_text("'-DX=a b' c.c")
    (tmp_path / "outer").write_text(f"-c @{tmp_path / 'inner'}\n-O2")
    words = ["cc", f"@{tmp_path / 'outer'}", "@", "@none"]
    assert list(expanded(words)) == ["cc", "-c", "-DX=a b", "c.c", "-O2", "@", "@none"]


@pytest.mark.parametrize(
    ("text", "reason"), [("'open", "No closing quotation"), ("@{0}", "without an end")]
)
def test_what_cannot_be_read(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "words"
    path.write_text(text.format(path))
    with pytest.raises(UsageError, match=reason):
        list(expanded([f"@{path}"]))
