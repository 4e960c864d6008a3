"""The entries of `irsan-cc` and `irsan-c++`, light: a build starts them thousands of times."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from irsan.errors import IrsanError

_INTERRUPTED = 130


def main_c() -> int:
    """irsan-cc: a compiler for C."""
    return drive_or_explain(sys.argv[1:], is_cxx=False)


def main_cxx() -> int:
    """irsan-c++: a compiler for C++."""
    return drive_or_explain(sys.argv[1:], is_cxx=True)


def drive_or_explain(arguments: Sequence[str], *, is_cxx: bool) -> int:
    """Run the wrapper; what it says no to is one line and the documented status."""
    from irsan.engine.builds.driver import drive

    name = "irsan-c++" if is_cxx else "irsan-cc"
    try:
        return drive(arguments, is_cxx=is_cxx)
    except IrsanError as error:
        print(f"{name}: error: {error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        return _INTERRUPTED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"{name}: error: {where}{error.strerror}", file=sys.stderr)
        return 1
