"""The process that builds the runtime: kernels to texts, texts to one object.

It is started for each build (`made_elsewhere`), so that numba's sets have one order, and whoever
asks needs no numba.  It reports what it does in lines on its output, and then gives the image
there.

    what it does now            any number of lines
    =LENGTH                     and so many bytes, `RuntimeImage.encoded`
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import IO, Final

from irsan.errors import InternalError
from irsan.own_process import module_command

_IMAGE: Final = b"="
_LINES_SHOWN: Final = 12


def made_elsewhere(progress: Callable[[str], None]) -> bytes:
    """An encoded RuntimeImage, made by a process of its own.

    InternalError, with what the process said last, when it ends without one.
    """
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            module_command(__spec__.name),
            # Sets of numba's have one order, so a kernel's text is the same in every build.
            env={**os.environ, "PYTHONHASHSEED": "0"},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
            start_new_session=True,  # an interrupt is for the process that asked
        ) as maker,
    ):  # fmt: skip
        assert maker.stdout is not None
        try:
            image = _received(maker.stdout, progress)
        finally:
            maker.kill()
        if image is None:
            errors.seek(0)
            last = errors.read().decode(errors="replace").splitlines()[-_LINES_SHOWN:]
            raise InternalError("\n".join(["the runtime could not be built:", *last]))
    return image


def _received(answers: IO[bytes], progress: Callable[[str], None]) -> bytes | None:
    for line in answers:
        if line.startswith(_IMAGE):
            n_bytes = int(line.removeprefix(_IMAGE))
            image = answers.read(n_bytes)
            return image if len(image) == n_bytes else None
        progress(line.decode().rstrip())
    return None


def main() -> None:
    """Make the runtime; its name goes to the standard output."""
    from irsan.engine.runtime_image.build import link_runtime
    from irsan.engine.runtime_image.kernel_link import import_kernels
    from irsan.engine.runtime_image.kernel_workers import compile_kernels_side_by_side

    compile_kernels_side_by_side(
        lambda done, total: _tell(f"{done} of {total} modules compiled")
    )
    image = link_runtime(import_kernels(), _tell).encoded()
    output = sys.stdout.buffer
    output.write(_IMAGE + str(len(image)).encode() + b"\n" + image)
    output.flush()


def _tell(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
