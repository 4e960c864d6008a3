"""`irsan.check(jitted, *arguments)`: a numba kernel run once under irsan, with these arguments.

The kernel runs in a process of its own, on copies of the arrays; what it has written is copied
back, so that a call of `irsan.check` does what a call of the kernel does, but for its result.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from irsan.engine.producers.numba.arguments import pack_arguments
from irsan.engine.producers.numba.kernel import kernel_text
from irsan.errors import IrsanError, UnsupportedError, UsageError

_HARNESS: Final = Path(__file__).with_name("harness.c")
_RETURNS: Final = (0, -2)  # statuses of a kernel that has returned, -2 with None


@dataclass(frozen=True, slots=True)
class KernelCheck:
    """What a run of a kernel has shown.

    findings: as the JSON report has them (docs/report-schema.md);  text: the report for people.
    raised: whether the kernel has raised an exception.
    """

    findings: list[dict[str, Any]] = field(default_factory=list)
    text: str = ""
    raised: bool = False

    def __bool__(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def check_kernel(
    dispatcher: Any,
    arguments: Sequence[Any],
    *,
    sanitize: str = "address,thread",
    seed: int = 0,
    threads: int = 4,
) -> KernelCheck:
    """Run a kernel once; sanitize, seed: as for `irsan run`; threads: of its parallel loops.

    Raises UsageError for what is no kernel or an argument that cannot be copied, UnsupportedError
    for a kernel that needs Python.
    """
    packed = pack_arguments(arguments)
    text = kernel_text(dispatcher, arguments)
    with tempfile.TemporaryDirectory(prefix="irsan-") as place:
        folder = Path(place)
        (folder / "kernel.ll").write_text(text)
        given, made, report = folder / "given", folder / "made", folder / "report.json"
        given.write_bytes(packed.encoded())
        command = [
            sys.executable, "-m", "irsan", "run", "--sanitize", sanitize, "--seed", str(seed),
            "--report-format", "text", "--report-format", "json", "--report-path", str(report),
            str(_HARNESS), str(folder / "kernel.ll"), "--", str(given), str(made), str(threads),
        ]  # fmt: skip
        answer = subprocess.run(
            command, capture_output=True, text=True, check=False, env=_environment()
        )
        said = answer.stderr.replace(f"{folder}/", "")
        if not report.exists() or not report.stat().st_size:
            raise _refusal(answer.returncode, said)
        findings = json.loads(report.read_text())["findings"]
        status = packed.copy_back(made.read_bytes()) if made.exists() else 0
    return KernelCheck(findings, said if findings else "", status not in _RETURNS)


def _environment() -> dict[str, str]:
    """The caller's, without the line that says how a run is repeated: its files are gone."""
    options = f"{os.environ.get('IRSAN_OPTIONS', '')}:print_replay=0".lstrip(":")
    return {**os.environ, "IRSAN_OPTIONS": options}


def _refusal(status: int, said: str) -> IrsanError:
    words = said.strip().splitlines()[-1] if said.strip() else f"irsan ended with status {status}"
    words = words.removeprefix("irsan: error: ")
    kind = UnsupportedError if status == UnsupportedError.exit_status else UsageError
    return kind(words)
