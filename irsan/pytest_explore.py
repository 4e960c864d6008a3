"""pytest --irsan-explore N: C and C++ files, and programs built with irsan-cc, as tests.

    test_*.c, *_test.c (also .cc, .cpp, .cxx)   sources, found as pytest finds test_*.py
    PATH                                        any source or program that is named itself

Such a test plays N schedules of the program (irsan explore) and fails when something is found, or
when a schedule does not end with status 0; what is printed then is the report, with the tokens.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from irsan.own_process import module_command

OPTION: Final = "--irsan-explore"
_ENDINGS: Final = (".c", ".cc", ".cpp", ".cxx")


class ExploredFile(pytest.File):
    """A program."""

    def collect(self) -> Iterator[ExploredProgram]:
        """The one test that a program is."""
        yield ExploredProgram.from_parent(self, name="explore")


class ExploredProgram(pytest.Item):
    """A program under many schedules."""

    def runtest(self) -> None:
        """Raises FoundError when its report is not empty."""
        n_schedules = self.config.getoption(OPTION)
        command = module_command("irsan", "explore", "--schedules", str(n_schedules))
        done = subprocess.run(
            [*command, str(self.path)], capture_output=True, text=True, errors="replace",
            check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        if done.returncode:
            raise FoundError(f"irsan explore ended with status {done.returncode}\n{done.stderr}")
        self.add_report_section("call", "irsan", done.stderr)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report, without a traceback of this file."""
        if isinstance(excinfo.value, FoundError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """How the test is named."""
        return self.path, None, f"irsan explore {self.path.name}"


class FoundError(Exception):
    """A program whose schedules show something; the text is the report."""


def collect_program(path: Path, parent: pytest.Collector) -> ExploredFile | None:
    """The program in a file, if it is one that is asked for."""
    if not parent.config.getoption(OPTION):
        return None
    is_named = path.resolve() in _named(parent.config)
    is_source = path.suffix in _ENDINGS
    is_test = is_source and (path.stem.startswith("test_") or path.stem.endswith("_test"))
    if is_test or (is_named and (is_source or _is_built(path))):
        found: ExploredFile = ExploredFile.from_parent(parent, path=path)
        return found
    return None


def _named(config: pytest.Config) -> set[Path]:
    folder = config.invocation_params.dir
    return {(folder / word.partition("::")[0]).resolve() for word in config.args}


def _is_built(path: Path) -> bool:
    from irsan.engine.inputs.carried import carries
    from irsan.errors import IrsanError

    try:
        return os.access(path, os.X_OK) and carries(path)
    except (IrsanError, OSError):
        return False
