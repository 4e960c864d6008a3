"""The process that is saved: it has imported what a run needs and linked the runtime.

It sends its parent what the kernel does not know, lets itself be traced, and stops. A process that
goes on from the snapshot returns from that stop, renews what is its own and runs a program.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import signal
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from irsan.engine import snapshot
from irsan.engine.runtime_image import source_hash
from irsan.engine.snapshot.kept import files_it_depends_on
from irsan.engine.snapshot.other_process import trace_me
from irsan.engine.snapshot.rehearsal import rehearse
from irsan.engine.snapshot.restored import Mailbox, renew_process, start_python
from irsan.errors import InternalError

if TYPE_CHECKING:
    from irsan.engine.run.prepared import ReadyRuntime

_GET_ROBUST_LIST: Final = 274
SAMPLE: Final = Path(snapshot.__file__).with_name("sample.c")
#: Libraries of what is rehearsed: each run needs the pages of the first, those of C++ the second's.
REHEARSED_LIBRARIES: Final = ((), ("stdc++",))
SampleRun = Callable[["ReadyRuntime", tuple[str, ...]], object]


def wait_to_be_restored(boot: str, sample_run: SampleRun) -> tuple[list[str], ReadyRuntime]:
    """Get ready and stop to be saved. Returns in a process that goes on from the snapshot: the
    words that it was started with, and the linked runtime.

    boot: what Python is given for a program that cannot run in such a process.
    sample_run: what such processes do, with SAMPLE for the program and these libraries
    """
    mailbox = Mailbox()
    ready = _ready_runtime(mailbox, boot)
    runs = [partial(sample_run, ready, libraries) for libraries in REHEARSED_LIBRARIES]
    return stop_to_be_saved(mailbox, runs), ready


def stop_to_be_saved(
    mailbox: Mailbox, sample_runs: Sequence[Callable[[], object]] = ()
) -> list[str]:
    """Stop; the words of the process that goes on from there.

    sample_runs: what is rehearsed: first what each process does, then what some do beside it
    """
    gc.collect()
    gc.freeze()  # a collection would copy every page it looks at
    rehearsals = [rehearse(partial(_play, mailbox, run)) for run in sample_runs]
    print(json.dumps({**_facts(mailbox), "rehearsals": rehearsals}), flush=True)
    trace_me()
    os.kill(os.getpid(), signal.SIGSTOP)
    if not mailbox.is_restored:
        raise InternalError("a process that was to be saved has been continued")
    return renew_process(mailbox)


def _ready_runtime(mailbox: Mailbox, boot: str) -> ReadyRuntime:
    from irsan.runtime.numpy_import import import_numpy_alone

    import_numpy_alone()
    from irsan.engine.cache import open_cache
    from irsan.engine.commands.batch_host import import_for_runs
    from irsan.engine.run.host_routines import host_routines
    from irsan.engine.run.prepared import ReadyRuntime
    from irsan.engine.run.run_guest import link_runtime
    from irsan.engine.runtime_image.stored import load_or_build_runtime
    from irsan.runtime.views.mappings import heap_range

    image = load_or_build_runtime(open_cache(), lambda _: None)
    import_for_runs(image)
    linked = link_runtime(image)
    linked.prepare()
    heap_range()
    source_hash.runtime_sources_hash()
    source_hash.instrument_sources_hash()
    source_hash.linker_sources_hash()
    routines = host_routines(image.routines)
    return ReadyRuntime(image, linked, routines, partial(start_python, mailbox, boot))


def _play(mailbox: Mailbox, sample_run: Callable[[], object]) -> None:
    """What a process does that goes on from here, in a child: its words are this one's."""
    words = (ctypes.c_char_p * 2)(b"irsan", None)
    mailbox.argv = ctypes.addressof(words)
    mailbox.environment = ctypes.c_uint64.in_dll(ctypes.CDLL(None), "environ").value
    renew_process(mailbox)
    sample_run()


def _facts(mailbox: Mailbox) -> dict[str, Any]:
    from irsan.runtime.views.mappings import heap_end

    libc = ctypes.CDLL(None)
    head, size = ctypes.c_uint64(), ctypes.c_uint64()
    libc.syscall(_GET_ROBUST_LIST, 0, ctypes.byref(head), ctypes.byref(size))
    return {
        "mailbox": ctypes.addressof(mailbox),
        "brk": heap_end(),
        "robust_list": [head.value, size.value],
        "files": files_it_depends_on(),
    }
