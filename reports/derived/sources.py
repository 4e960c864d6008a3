"""Source text for reports: each file is read once, bounded, and may be missing.

    at the end of a run     any regular file that the program was made of
    from a report file      the excerpts that the report carries, then files below a folder that
                            the reader trusts; a path in a report is untrusted input, so
                            nothing outside that folder is opened
"""

from __future__ import annotations

import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from irsan.reports.derived.line_hash import line_hashes
from irsan.reports.derived.source_tokens import (
    Token,
    column_of,
    statement_around,
    token_at,
    tokens_of,
)
from irsan.reports.model.run_facts import SourceExcerpt

MAX_FILE_BYTES = 4 << 20
MAX_FILES = 2000
MAX_HASHED = 1 << 20  # characters of a file whose lines get GitHub's names
MAX_TEXT_BYTES = 64 << 20  # of all files together


class Sources:
    """Lines, tokens and statements of source files by the names that frames have for them."""

    def __init__(
        self,
        *,
        root: Path | None = None,
        below: Path | None = None,
        aliases: Sequence[tuple[str, str]] = (),
        excerpts: Iterable[SourceExcerpt] = (),
    ) -> None:
        """Read sources.

        root: what relative names are relative to
        below: read nothing outside of it
        aliases: where files are that are named by another folder, as -ffile-prefix-map does
        """
        self._aliases = tuple(aliases)
        self._root = root
        self._below = below.resolve() if below is not None else None
        self._texts: dict[str, str] = {}
        self._lines: dict[str, tuple[str, ...]] = {}
        self._tokens: dict[str, tuple[Token, ...]] = {}
        self._hashes: dict[str, tuple[str, ...]] = {}
        self._n_bytes = 0
        self._excerpts: dict[str, list[SourceExcerpt]] = {}
        for excerpt in excerpts:
            self._excerpts.setdefault(excerpt.file, []).append(excerpt)

    @classmethod
    def of_report(
        cls, excerpts: Iterable[SourceExcerpt], trusted_folder: Path | None = None
    ) -> Sources:
        """Sources for a report read from a file: its excerpts, and files below `trusted_folder`."""
        nowhere = Path("/nonexistent") if trusted_folder is None else trusted_folder
        return cls(root=trusted_folder, below=nowhere, excerpts=excerpts)

    def line(self, file: str, number: int) -> str | None:
        """Line `number` (from 1) without its end; None when it is not to be had."""
        for excerpt in self._excerpts.get(file, ()):
            if 0 <= number - excerpt.first_line < len(excerpt.lines):
                return excerpt.lines[number - excerpt.first_line]
        lines = self.lines(file)
        return lines[number - 1] if 0 < number <= len(lines) else None

    def around(self, file: str, number: int, n_around: int = 3) -> tuple[tuple[int, str], ...]:
        """Numbered lines around one, those that are known."""
        numbers = range(max(number - n_around, 1), number + n_around + 1)
        found = ((each, self.line(file, each)) for each in numbers)
        return tuple((each, line) for each, line in found if line is not None)

    def lines(self, file: str) -> tuple[str, ...]:
        """All lines of a file; none when it cannot be read, is binary or too big."""
        if file not in self._lines:
            text = self._text(file)
            self._lines[file] = tuple(text.split("\n")) if text else ()
        return self._lines[file]

    def n_lines(self, file: str) -> int:
        """How many lines of a file can be read."""
        return len(self.lines(file))

    def statement(self, file: str, line: int, column: int, word: str = "") -> str:
        """The statement at a place, normalised; empty when there is none.

        word: the name on the line when the column is 0, unknown
        """
        tokens = self._tokens_of(file) if line > 0 else ()
        if word and not column:
            column = column_of(tokens, line, word)
        return statement_around(tokens, line, column)

    def line_hash(self, file: str, line: int) -> str:
        """GitHub's name of a line; empty when the file cannot be read or is very long."""
        if file not in self._hashes:
            text = self._text(file)
            self._hashes[file] = line_hashes(text) if 0 < len(text) <= MAX_HASHED else ()
        hashes = self._hashes[file]
        return hashes[line - 1] if 0 < line <= len(hashes) else ""

    def end_column(self, file: str, line: int, column: int, expression: str = "") -> int:
        """Column behind the expression or the word at a place; 0 when it is not known.

        The expression counts where it stands on the line and holds the place.
        """
        text = self.line(file, line) if column > 0 else None
        if text is None:
            return 0
        encoded = text.encode("utf-8", "surrogatepass")
        wanted = expression.encode("utf-8", "surrogatepass")
        start = encoded.find(wanted) if wanted else -1
        while start >= 0:
            if start < column <= start + len(wanted):
                return start + len(wanted) + 1
            start = encoded.find(wanted, start + 1)
        tokens = tokens_of(text)
        number = token_at(tokens, 1, column)
        holds = number >= 0 and tokens[number].column <= column < tokens[number].end_column
        return tokens[number].end_column if holds else min(column + 1, len(encoded) + 1)

    def _tokens_of(self, file: str) -> tuple[Token, ...]:
        if file not in self._tokens:
            self._tokens[file] = tokens_of(self._text(file))
        return self._tokens[file]

    def _text(self, file: str) -> str:
        if file not in self._texts:
            text = self._read(file) if len(self._texts) < MAX_FILES else ""
            self._n_bytes += len(text)
            self._texts[file] = text if self._n_bytes <= MAX_TEXT_BYTES else ""
        return self._texts[file]

    def _read(self, file: str) -> str:
        if not file or "\0" in file:
            return ""
        path = (self._root or Path()) / file
        for named, actual in self._aliases:
            if file.startswith(named.rstrip("/") + "/") and not path.exists():
                path = Path(actual + file[len(named.rstrip("/")) :])
        try:
            if self._below is not None and not path.resolve().is_relative_to(self._below):
                return ""
            facts = path.stat()
            if not stat.S_ISREG(facts.st_mode) or facts.st_size > MAX_FILE_BYTES:
                return ""
            content = path.read_bytes()
        except (OSError, RuntimeError, ValueError):  # RuntimeError: links that lead in a circle
            return ""
        return "" if b"\0" in content else content.decode("utf-8", "replace")
