"""The files that the tools' `suppressions` flags name."""

from __future__ import annotations

from pathlib import Path

from irsan.errors import UsageError
from irsan.runtime.flags.flags import Flags
from irsan.runtime.flags.suppressions import Suppression, parse_suppressions


def read_suppressions(flags: Flags, folder: Path) -> tuple[Suppression, ...]:
    """All entries, each once. folder: the program's, where relative names may lie, too.

    Raises UsageError for a file that cannot be read.
    """
    entries: list[Suppression] = []
    for owner in ("asan", "tsan", "lsan", "ubsan"):
        name = flags.tool(owner).as_mapping().get("suppressions", "")
        if not name:
            continue
        try:
            text = _near(str(name), folder).read_text(encoding="utf-8")
        except OSError as error:
            reason = error.strerror
            raise UsageError(f"failed to read suppressions file {name}: {reason}") from None
        except UnicodeDecodeError as error:
            raise UsageError(f"failed to read suppressions file {name}: {error}") from None
        entries.extend(parse_suppressions(text, str(name)))
    return tuple(dict.fromkeys(entries))


def _near(name: str, folder: Path) -> Path:
    """A file by its name; a relative one may also lie in the folder of the program."""
    path = Path(name)
    return path if path.is_absolute() or path.exists() else folder / name
