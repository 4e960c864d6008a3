"""Report files as a command line names them: one, many, or folders; whole, cut off, or no reports.

    read_report     one file that must be a report
    read_all        files and folders; what cannot be read is named and counted, and no error
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from irsan.errors import UsageError
from irsan.reports.formats.json_report import ReportFormatError, json_to_report
from irsan.reports.model.report import Report

MAX_FILE_BYTES = 1 << 30
_ENDING = ".json"


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file and the report in it, or why there is none."""

    path: Path
    report: Report | None
    problem: str = ""


def read_report(path: Path) -> Report:
    """The report of a file. Raises UsageError, naming the file and the error."""
    found = _read(path)
    if found.report is None:
        raise UsageError(f"{path}: {found.problem}")
    return found.report


def read_all(paths: Iterable[Path]) -> Iterator[ReadFile]:
    """Every report of files and, by name, of those below folders; each file once.

    Raises UsageError for a path that does not exist.
    """
    for path in dict.fromkeys(each for named in paths for each in _files(named)):
        yield _read(path)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        found = (each for each in path.rglob("*") if _ENDING in each.name[1:] and each.is_file())
        return sorted(each for each in found if not each.name.startswith("."))
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    return [path]


def _read(path: Path) -> ReadFile:
    try:
        if path.is_file() and path.stat().st_size > MAX_FILE_BYTES:
            return ReadFile(path, None, "bigger than a report may be")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        return ReadFile(path, None, f"cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        return ReadFile(path, None, f"not text in UTF-8: {error.reason} at byte {error.start}")
    if not text.strip():
        return ReadFile(path, None, "empty: the run was killed before it wrote its report")
    try:
        return ReadFile(path, json_to_report(text))
    except RecursionError:
        return ReadFile(path, None, "nested too deeply to be a report")
    except ReportFormatError as error:
        return ReadFile(path, None, _told(str(error), text))


def _told(message: str, text: str) -> str:
    is_cut = message.startswith("not JSON") and not text.rstrip().endswith("}")
    return f"cut off: {message}" if is_cut else message
