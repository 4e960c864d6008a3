"""The entry of the `irsan` command: runs it, and turns whatever ends it into one status.

typer's usage error, UsageError    2      one line `irsan: error: ...`
UnsupportedError                   69
any other exception                70     one line, and the traceback in a file
output that cannot be written      74     one line
interrupted                        130
output closed by its reader        141
"""

from __future__ import annotations

import errno
import os
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from irsan import saved_start
from irsan.errors import InternalError, IrsanError, OutputError, UsageError
from irsan.low_heap import leave_low_heap
from irsan.streams import open_standard_streams, silence_stdout

if TYPE_CHECKING:
    from irsan.engine.run.prepared import ReadyRuntime

STATUS_NO_OUTPUT = OutputError.exit_status
STATUS_INTERRUPTED = 130
STATUS_BROKEN_PIPE = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one irsan command line; returns its exit status.

    arguments: the words after `irsan`, sys.argv's when None.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given == ["--version"]:
        return run_explained(_print_versions)
    if arguments is None and given[:1] == ["run"]:
        saved_start.go_on("run", sys.argv, saved_start.RUN)
    if arguments is None:
        leave_low_heap()
    return do_command(given)


def main_started(words: Sequence[str], ready: ReadyRuntime | None = None) -> int:
    """The same in a process that a saved one was to be, or that goes on from one.

    words: anything, anything, and argv.  ready: the runtime, where this process has it linked.
    """
    if ready is None:
        leave_low_heap()
    sys.argv = list(words[2:])
    return do_command(sys.argv[1:], ready)


def do_command(words: Sequence[str], ready: ReadyRuntime | None = None) -> int:
    """Run one command line in this process; as `main`. ready: as for main_started."""
    try:  # what takes a tenth of a second may be interrupted, too
        import typer

        from irsan.cli.app import whole_command
    except KeyboardInterrupt:
        return STATUS_INTERRUPTED

    def command() -> int:
        named = {"prog_name": "irsan", "standalone_mode": False}
        status = whole_command().main(list(words), obj=ready, **named)
        return status if isinstance(status, int) else 0

    try:
        return run_explained(command)
    except typer.Abort:
        return STATUS_INTERRUPTED
    except typer.TyperException as error:
        return _after_usage_error(error, words)


def _print_versions() -> int:
    from irsan.versions import versions_text

    print(versions_text())
    return 0


def run_explained(command: Callable[[], int]) -> int:
    """The status of a command; what ends it is said in one line, except typer's own refusals."""
    open_standard_streams()
    try:
        return _flushed(command())
    except BrokenPipeError:
        return _after_broken_pipe()
    except SystemExit as end:
        # typer ends the process by itself when standard output was closed by its reader.
        if isinstance(end.__context__, BrokenPipeError):
            return _after_broken_pipe()
        raise
    except KeyboardInterrupt:
        return STATUS_INTERRUPTED
    except IrsanError as error:
        print_error(str(error))
        return error.exit_status
    except OSError as error:
        if _is_full(error):
            return _after_full_output(error)
        return _after_crash(error) if _has_folder() else _after_lost_folder()
    except Exception as error:
        if type(error).__module__.startswith("typer"):
            raise
        return _after_crash(error)


def _flushed(status: int) -> int:
    """The status of a command once its output is out; what was found comes first."""
    try:
        sys.stdout.flush()
    except OSError as error:
        if not _is_full(error):
            raise
        lost = _after_full_output(error)
        return status or lost
    return status


def print_error(text: str) -> None:
    """The one form of an error: a line on standard error."""
    print(f"irsan: error: {text}", file=sys.stderr)


def _after_usage_error(error: Exception, words: Sequence[str]) -> int:
    """typer's own refusals. Asking for help by giving no words at all is one of them."""
    format_message = getattr(error, "format_message", None)
    message = format_message() if format_message is not None else str(error)
    context = getattr(error, "ctx", None)
    refused = getattr(error, "option_name", None)  # of an option that is not known
    if type(error).__name__ == "NoArgsIsHelpError":
        print(message, file=sys.stderr)
    elif refused is not None and (hint := _compiler_option_hint(words, refused)):
        print_error(f"{message}: {hint}")
    else:
        hint = f" (see: {context.command_path} --help)" if context is not None else ""
        print_error(f"{message}{hint}")
    status = getattr(error, "exit_code", 2)
    return status if isinstance(status, int) else 2


def _compiler_option_hint(words: Sequence[str], refused: str) -> str:
    from irsan.arguments import compiler_option_hint

    return compiler_option_hint(words, refused)


def _after_broken_pipe() -> int:
    silence_stdout()  # Python flushes it once more at its end
    return STATUS_BROKEN_PIPE


def _is_full(error: OSError) -> bool:
    """Whether a stream without a name could not take what was written to it."""
    return error.filename is None and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def _has_folder() -> bool:
    """Whether the folder that this process works in still exists."""
    try:
        return bool(os.getcwd())  # noqa: PTH109
    except OSError:
        return False


def _after_lost_folder() -> int:
    print_error("the current folder does not exist any more; go to another one")
    return UsageError.exit_status


def _after_full_output(error: OSError) -> int:
    silence_stdout()
    print_error(f"the output cannot be written: {error.strerror}")
    return STATUS_NO_OUTPUT


def _after_crash(error: Exception) -> int:
    if os.environ.get("IRSAN_DEBUG") == "1":
        traceback.print_exception(error)
    log = _write_crash_log(error)
    print_error(
        f"internal error: {type(error).__name__}: {error}; this is a bug of irsan, please report "
        f"it with {log}"
    )
    return InternalError.exit_status


def _write_crash_log(error: Exception) -> Path:
    """Write the traceback where it will be found again; returns the file."""
    from irsan.engine.cache import open_cache
    from irsan.versions import versions_text

    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    trace = "".join(traceback.format_exception(error))
    text = f"{versions_text()}\nirsan {' '.join(sys.argv[1:])}\n\n{trace}"
    base = open_cache().base
    if base is None:
        return _write_temporary_log(text)
    try:
        (base / "crashes").mkdir(parents=True, exist_ok=True)
        (base / "crashes" / name).write_text(text, errors="backslashreplace")
    except OSError:
        return _write_temporary_log(text)
    return base / "crashes" / name


def _write_temporary_log(text: str) -> Path:
    import tempfile

    with tempfile.NamedTemporaryFile(
        "w", prefix="irsan-crash-", suffix=".txt", delete=False, errors="backslashreplace"
    ) as log:
        log.write(text)
    return Path(log.name)


if __name__ == "__main__":
    sys.exit(main())
