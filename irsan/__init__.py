"""irsan: a dynamic data-race and memory-error sanitizer for LLVM IR."""

__version__ = "0.1.0"

TYPE_CHECKING = False  # as typing's, without importing it
if TYPE_CHECKING:
    from typing import Any

    from irsan.engine.producers.numba.check import KernelCheck


def check(
    jitted: "Any", *arguments: "Any", sanitize: str = "address,thread", seed: int = 0,
    threads: int = 4,
) -> "KernelCheck":  # fmt: skip
    """Run a function that numba has compiled once, under irsan, with these arguments.

    jitted: what numba.njit has decorated;  arguments: arrays, numbers, tuples of those.
    sanitize, seed: as for `irsan run`;  threads: of its parallel loops.
    The result is true when nothing was found; arrays hold what the kernel has written.
    """
    import importlib  # every module imports this one: the engine is no part of it

    module: Any = importlib.import_module("irsan.engine.producers.numba.check")
    checked: KernelCheck = module.check_kernel(
        jitted, arguments, sanitize=sanitize, seed=seed, threads=threads
    )
    return checked
