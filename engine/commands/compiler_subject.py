"""The process that irsan-cc goes on from: all that compiling and linking need is imported, the hot
hooks are in LLVM's memory, and a source has been compiled once, so that Python's code is adapted to
what it works on.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from irsan.engine import snapshot
from irsan.engine.commands.program_subject import stop_to_be_saved
from irsan.engine.snapshot.restored import Mailbox

if TYPE_CHECKING:
    from irsan.engine.front_end.compiled_unit import CompiledUnit
    from irsan.engine.runtime_image.image import RuntimeImage

_SAMPLE: Final = Path(snapshot.__file__).with_name("restore.c")
_WORDS: Final = ("-O1", "-g", "-w", "-ffreestanding", '-DIRSAN_PYTHON=""', '-DIRSAN_BOOT=""',
                 '-DIRSAN_FORMAT=""', '-DIRSAN_SAVED=""')  # fmt: skip


def wait_for_command() -> list[str]:
    """Get ready and stop to be saved. Returns in a process that goes on from the snapshot: the
    words that it was started with.
    """
    mailbox = Mailbox()
    _get_ready()
    return stop_to_be_saved(mailbox)


def _get_ready() -> None:
    import irsan.engine.builds.link_step
    import irsan.engine.snapshot.kept  # noqa: F401
    from irsan.engine.builds.build_ahead import import_for_units
    from irsan.engine.cache import open_cache
    from irsan.engine.program_image.codegen import get_ready
    from irsan.engine.runtime_image.hot_text import runtime_for_units

    runtime = runtime_for_units(open_cache(os.environ), lambda _: None)
    get_ready(runtime.hot_text)
    import_for_units()
    with tempfile.TemporaryDirectory(prefix="irsan-cc-") as folder:
        _rehearse(runtime, Path(folder, "sample.o"))


def _rehearse(runtime: RuntimeImage, target: Path) -> None:
    """Compile a source, and make its unit, which is thrown away."""
    from irsan.engine.options import DEFAULT_SANITIZERS
    from irsan.engine.program_image.unit_image import UnitBuilder
    from irsan.engine.run.prepared import checks_to_insert

    units = sample_units(target)
    if units:
        checks = checks_to_insert(DEFAULT_SANITIZERS, {})
        UnitBuilder(checks, runtime).images(units, is_alone=False)


def sample_units(target: Path) -> list[CompiledUnit]:
    """Compile the sample to an object; its unit. None from a compiler without the sample's words:
    compilations start a little slower.
    """
    from irsan.engine.builds.driver import drive
    from irsan.engine.cache import Cache
    from irsan.engine.inputs.carried import read_carried
    from irsan.engine.inputs.carried_bitcode import carried_units

    os.environ["IRSAN_AHEAD"] = "off"
    status = drive([*_WORDS, "-c", str(_SAMPLE), "-o", str(target)], is_cxx=False)
    del os.environ["IRSAN_AHEAD"]
    return [] if status else carried_units(read_carried(target), Cache(None))
