"""Programs given as text: each is kept in a file of its own and run in the worker's warm host."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irsan.engine.commands.batch import BatchRunner, RunResult


@dataclass(frozen=True, slots=True)
class TextRuns:
    """`text_runs(TEXT, "argument", environment={"ASAN_OPTIONS": "..."}, sanitize="address")`."""

    runner: BatchRunner
    folder: Path

    def __call__(
        self,
        text: str,
        *words: str,
        suffix: str = ".c",
        environment: Mapping[str, str] | None = None,
        sanitize: str = "",
        seed: int = 0,
        **changes: Any,
    ) -> RunResult:
        """Run a program once.

        suffix    of its file's name: the language
        sanitize  words with commas between; "" = what a run without the option is asked for
        changes   other fields of RunOptions
        """
        path = self.folder / f"p{hash(text) & 0xFFFF_FFFF:x}{suffix}"
        path.write_text(text)
        if sanitize:
            changes["sanitize"] = frozenset(sanitize.split(","))
        (result,) = self.runner.run(
            [path],
            [seed],
            arguments=words,
            environment=environment,
            **changes,
        )
        return result


@dataclass(frozen=True, slots=True)
class FlagRuns:
    """`run(TEXT, "flags", "argument", ...)`: one tool, with flags in its variable."""

    text_runs: TextRuns
    sanitize: str = "address"
    variable: str = "ASAN_OPTIONS"
    default_flags: str = ""

    def __call__(
        self, text: str, flags: str = "", *words: str, suffix: str = ".c", **changes: Any
    ) -> RunResult:
        """Run a program once; the rest as in TextRuns."""
        changes = {"sanitize": self.sanitize, **changes}
        environment = {self.variable: flags or self.default_flags}
        return self.text_runs(text, *words, suffix=suffix, environment=environment, **changes)
