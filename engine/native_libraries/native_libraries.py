"""Private copies of native libraries whose imports are ours.

A library that the guest uses (libstdc++, every `-l`) is loaded a second time from a file of its
own, with RTLD_LOCAL, and its relocation targets are rewritten
(`irsan.engine.native_libraries.bindings`): every name that `resolve` knows (malloc,
pthread_mutex_lock, operator new, ...) leads to our interceptor. The libraries that Python itself
uses stay untouched.

    load_private(path, resolve) -> NativeLibrary
        symbol(name)       address of an export
        initializers       constructors, not yet run: the guest runs them on its own stack
        thread_locals()    (address, bytes, image) of its block in this OS thread: the scheduler
                           swaps it, since all guest threads share one OS thread

Which libraries are not copied, and where the others are found:
`irsan.engine.native_libraries.library_search`.

Deviations: a library without a soname that another one needs is loaded by the system loader as well
(its copy is what calls reach, but the constructors of the unused one run natively).
"""

from __future__ import annotations

import ctypes
import hashlib
import mmap
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from irsan.cachedir import cache_root, private_folder
from irsan.engine.linker.native_symbols import symbol_in
from irsan.engine.native_libraries import shared_object as so
from irsan.engine.native_libraries.bindings import Bindings, Resolve, ThreadLocalPlace
from irsan.engine.native_libraries.library_search import at_origin
from irsan.engine.native_libraries.private_image import can_set_apart, private_image
from irsan.engine.native_libraries.shared_object import SharedObject
from irsan.errors import UnsupportedError
from irsan.runtime import arena
from irsan.sealed import is_kept_whole, keep_beside_seal

_IMAGE_VERSION: Final = 3  # of what `private_image` changes
_RTLD_LOCAL_NOW: Final = 2
_RTLD_DI_TLS_DATA: Final = 10
_RTLD_DI_TLS_MODID: Final = 9


@dataclass(frozen=True, slots=True)
class ThreadLocals:
    """A library's thread-local block in the OS thread that asked."""

    address: int
    size_bytes: int
    image: bytes  # initial bytes; the rest starts as zero


@dataclass(frozen=True, slots=True)
class NativeLibrary:
    """A loaded private copy."""

    path: Path
    soname: str
    handle: int
    base: int
    end: int
    needed: tuple[str, ...]
    imports: tuple[str, ...]  # names it takes from elsewhere
    patched: tuple[str, ...]  # names that lead to us now
    initializers: tuple[int, ...]
    finalizers: tuple[int, ...]
    tls: tuple[int, int, int] | None
    bindings: Bindings
    pins_thread_locals: bool = False  # in the static block, or named by others
    answers: bool = False  # what needs it by its soname can be given this copy

    def symbol(self, name: str) -> int | None:
        """Address of an export of this library or of one it needs; None when there is none."""
        return symbol_in(self.handle, name)

    def own_symbol(self, name: str) -> int | None:
        """Address of `name` only when this very copy defines it (also as a thread-local)."""
        found = self.symbol(name)
        if found is None or self.contains(found):
            return found
        block = self.thread_locals()
        is_own = block is not None and 0 <= found - block.address < block.size_bytes
        return found if is_own else None

    def rebind(self, resolve: Resolve) -> list[str]:
        """Rewrite imports once more, e.g. to functions that the program replaces; the names."""
        return self.bindings.rebind(resolve)

    def contains(self, address: int) -> bool:
        """Is `address` inside this copy's mapping?"""
        return self.base <= address < self.end

    def thread_locals(self) -> ThreadLocals | None:
        """The block of the calling OS thread (allocated if need be), None without any."""
        if self.tls is None:
            return None
        vaddr, image_size, size = self.tls
        pair = (ctypes.c_uint64 * 2)(self.tls_module(), 0)
        address = int(_tls_get_addr(pair))
        return ThreadLocals(address, size, ctypes.string_at(self.base + vaddr, image_size))

    def thread_local_place(self, name: str) -> ThreadLocalPlace | None:
        """Where a thread-local that this very copy exports lies."""
        found = self.symbol(name)
        block = self.thread_locals() if found is not None else None
        if found is None or block is None or not 0 <= found - block.address < block.size_bytes:
            return None
        pointer = int(_libc.pthread_self())
        return ThreadLocalPlace(self.tls_module(), found - block.address, found - pointer)

    def tls_module(self) -> int:
        """The number by which the loader knows its thread-locals."""
        module = ctypes.c_size_t()
        _libc.dlinfo(self.handle, _RTLD_DI_TLS_MODID, ctypes.byref(module))
        return module.value

    def close(self) -> None:
        """Unload the copy; nothing of it may be in use."""
        _libc.dlclose(self.handle)


def load_private(path: Path, resolve: Resolve, apart: tuple[str, ...] = ()) -> NativeLibrary:
    """Load a copy of `path`; every import for which `resolve` has an address is bound to that.

    apart: names that it needs to which copies answer, which are loaded
    Constructors have not run: call `NativeLibrary.initializers` as `f(argc, argv, envp)`.
    UnsupportedError when the file is no x86-64 shared library or the system loader refuses it.
    """
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as raw:
        parsed = SharedObject.parse(raw, str(path))
        pins_tls = so.pins_thread_locals(raw, parsed)
        answers = can_set_apart(raw, parsed, parsed.soname)
        handle = _open(_private_copy(path, raw, parsed, apart))
    base = ctypes.c_uint64.from_address(handle).value  # link_map.l_addr
    bindings = Bindings(parsed, base)
    patched = bindings.rebind(resolve)
    return NativeLibrary(
        path=path,
        soname=parsed.soname or path.name,
        handle=handle,
        base=base,
        end=base + parsed.mapped_bytes(),
        needed=parsed.needed,
        imports=tuple(bindings.imports()),
        patched=tuple(patched),
        initializers=tuple(_functions(parsed, base, so.DT_INIT, so.DT_INIT_ARRAY)),
        finalizers=tuple(_functions(parsed, base, so.DT_FINI, so.DT_FINI_ARRAY)[::-1]),
        tls=parsed.tls_segment(),
        bindings=bindings,
        pins_thread_locals=pins_tls,
        answers=answers,
    )


def needs_of(path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a library file needs, and its run path; UnsupportedError when it is no library."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as raw:
        parsed = SharedObject.parse(raw, str(path))
    return parsed.needed, tuple(at_origin(parsed.run_path, path))


def _functions(parsed: SharedObject, base: int, single: int, array: int) -> list[int]:
    sizes = {so.DT_INIT_ARRAY: so.DT_INIT_ARRAYSZ, so.DT_FINI_ARRAY: so.DT_FINI_ARRAYSZ}
    found = [base + parsed.value(single)] if parsed.value(single) else []
    size = parsed.value(sizes[array])
    if size:
        found += arena.view_words(base + parsed.value(array), size // 8).tolist()
    return [address for address in found if address not in (0, 2**64 - 1)]


def _private_copy(
    path: Path, raw: mmap.mmap, parsed: SharedObject, apart: tuple[str, ...]
) -> Path:
    """The edited file, made once per file and looked at before each use; where the cache cannot
    be written, one in this process's own folder."""
    facts = path.stat()
    identity = (
        _IMAGE_VERSION, apart, str(path.resolve()), facts.st_size, facts.st_mtime_ns, facts.st_ino
    )  # fmt: skip
    digest = hashlib.sha256(repr(identity).encode()).hexdigest()[:20]
    folder = cache_root() / "libraries"
    place = folder / f"{path.name.partition('.so')[0]}-{digest}.so"
    if is_kept_whole(place):
        return place
    image = private_image(raw, parsed, apart)
    try:
        keep_beside_seal(place, image)
    except OSError:
        place = Path(private_folder().name) / place.name
        place.write_bytes(image)
    return place


def _open(copy: Path) -> int:
    handle = _libc.dlopen(os.fsencode(copy), _RTLD_LOCAL_NOW)
    if not handle:
        reason = (_libc.dlerror() or b"").decode(errors="replace")
        raise UnsupportedError(f"a native library cannot be loaded for the guest: {reason}")
    return int(handle)


def _load_libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None)
    libc.dlopen.restype = ctypes.c_void_p
    libc.dlopen.argtypes = [ctypes.c_char_p, ctypes.c_int]
    libc.dlclose.argtypes = [ctypes.c_void_p]
    libc.dlerror.restype = ctypes.c_char_p
    libc.pthread_self.restype = ctypes.c_uint64
    libc.dlinfo.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
    return libc


_libc = _load_libc()
_tls_get_addr = _libc["__tls_get_addr"]  # of the dynamic linker itself
_tls_get_addr.restype = ctypes.c_uint64
_tls_get_addr.argtypes = [ctypes.c_void_p]
