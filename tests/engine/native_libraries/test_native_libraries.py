"""Private copies: their imports reach us, their constructors wait, the host's copy is untouched."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from irsan.engine.native_libraries.guest_libraries import (
    LIBCXX,
    LIBSTDCXX,
    GuestLibraries,
    needed_cxx_library,
)
from irsan.engine.native_libraries.library_search import find_library, is_shared_with_host
from irsan.engine.native_libraries.native_libraries import NativeLibrary, load_private
from irsan.errors import UnsupportedError, UsageError
from tests.support.jit import call, run_snippet

SOURCE = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int constructed, rows[4];
__thread int per_thread = 7;
__thread char zeros[20];
__attribute__((constructor)) static void construct(void) { constructed = 1; }
int was_constructed(void) { return constructed; }
void *make(int n) { pthread_mutex_lock(&mutex); return malloc(n); }
int next_thread_value(void) { return ++per_thread; }
int (*const compare)(const char *, const char *) = strcmp;
void *address_of_compare(void) { return (void *)compare; }
int own(void) { return 1; }
int through_own(void) { return own(); }
int rows_sum(void) { return rows[0] + rows[3]; }
"""

NEEDS_SOURCE = "int own(void); int twice(void) { return 2 * own(); }"


def compiler() -> str:
    for name in ("gcc", "clang-19", "cc", "clang"):
        if shutil.which(name):
            return name
    pytest.skip("needs a C compiler that links shared libraries")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    for name, source in (("libsmall.so", SOURCE), ("libneeds.so", NEEDS_SOURCE)):
        (folder / "source.c").write_text(source)
        argv = [compiler(), "-shared", "-fPIC", "-O1", f"-Wl,-soname,{name}", "source.c"]
        links = ["-L.", "-lsmall", "-Wl,-rpath,$ORIGIN"] if name == "libneeds.so" else []
        subprocess.run([*argv, "-o", name, *links], cwd=folder, check=True)
    return folder / "libsmall.so"


class Recorder:
    """Python functions in the place of C ones, and what they were asked."""

    def __init__(self) -> None:
        self.malloc_sizes: list[int] = []
        self.locked: list[int] = []
        self._keep = [
            ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint64)(self._malloc),
            ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64)(self._lock),
            ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 21),
        ]
        names = ("malloc", "pthread_mutex_lock", "own")
        self.table = {
            name: ctypes.cast(each, ctypes.c_void_p).value or 0
            for name, each in zip(names, self._keep, strict=True)
        }

    def _malloc(self, size: int) -> int:
        self.malloc_sizes.append(size)
        return 0x1000 + size

    def _lock(self, mutex: int) -> int:
        self.locked.append(mutex)
        return 0


@pytest.fixture
def loaded(small: Path) -> Iterator[tuple[NativeLibrary, Recorder]]:
    ours = Recorder()
    library = load_private(small, ours.table.get)
    yield library, ours
    library.close()


def word(library: NativeLibrary, name: str, *arguments: int) -> int:
    address = library.symbol(name)
    assert address is not None
    kinds = [ctypes.c_uint64] * len(arguments)
    return int(ctypes.CFUNCTYPE(ctypes.c_uint64, *kinds)(address)(*arguments))


def test_imports_reach_us(loaded: tuple[NativeLibrary, Recorder]) -> None:
    library, ours = loaded
    assert word(library, "make", 64) == 0x1040
    assert (ours.malloc_sizes, len(ours.locked)) == ([64], 1)
    assert library.contains(ours.locked[0])
    assert {"malloc", "pthread_mutex_lock", "strcmp"} <= set(library.imports)
    assert {"malloc", "pthread_mutex_lock"} <= set(library.patched)


def test_its_own_exports_bind_to_us_too(loaded: tuple[NativeLibrary, Recorder]) -> None:
    library, ours = loaded
    assert word(library, "through_own") & 0xFFFF_FFFF in (1, 21)  # 1 where the compiler inlined it
    if "own" in library.patched:
        library.rebind({"own": ours.table["own"]}.get)
        assert word(library, "through_own") & 0xFFFF_FFFF == 21


def test_the_host_copy_is_untouched(small: Path, loaded: tuple[NativeLibrary, Recorder]) -> None:
    library, ours = loaded
    host = ctypes.CDLL(str(small))
    host.make.restype = ctypes.c_uint64
    assert host.make(64) > 0x10000
    assert ours.malloc_sizes == []
    assert host.was_constructed() == 1
    assert word(library, "was_constructed") & 0xFF == 0


def test_constructors_wait_for_the_guest(loaded: tuple[NativeLibrary, Recorder]) -> None:
    library, _ = loaded
    for address in library.initializers:
        call(address, 0, 0, 0)
    assert word(library, "was_constructed") & 0xFF == 1


def test_thread_local_block(loaded: tuple[NativeLibrary, Recorder]) -> None:
    library, _ = loaded
    block = library.thread_locals()
    assert block is not None
    saved = ctypes.string_at(block.address, block.size_bytes)
    assert block.size_bytes >= 24
    assert saved.startswith(block.image)
    assert word(library, "next_thread_value") & 0xFFFF == 8
    ctypes.memmove(block.address, saved, len(saved))
    assert word(library, "next_thread_value") & 0xFFFF == 8


def test_soname_of_the_copy_is_hidden(small: Path) -> None:
    code = """
import ctypes, sys
from pathlib import Path
from irsan.engine.native_libraries.native_libraries import load_private
copy = load_private(Path(sys.argv[1]), lambda name: None)
print(copy.soname)
try:
    ctypes.CDLL("libsmall.so")  # on no search path: only the soname of the copy could match
except OSError:
    print("hidden")
"""
    assert run_snippet(code, str(small)).stdout.split() == ["libsmall.so", "hidden"]


def test_a_library_that_needs_another_binds_to_its_copy(small: Path) -> None:
    ours = Recorder()
    guest = GuestLibraries(lambda _: None, [str(small.parent)])
    library = guest.load("libneeds.so")
    assert library is not None
    assert list(guest.libraries) == ["libsmall.so", "libneeds.so"]
    assert word(library, "twice") & 0xFF == 2
    assert guest.symbol("own") == guest.libraries["libsmall.so"].symbol("own")
    assert guest.load("libneeds.so") is library
    assert len(guest.initializers()) >= 2
    assert len(guest.thread_locals()) == 1
    assert ours.malloc_sizes == []


def test_what_is_not_loaded() -> None:
    guest = GuestLibraries(lambda _: None)
    assert guest.load("libc.so.6") is None
    assert is_shared_with_host("libgcc_s.so.1")
    with pytest.raises(UsageError, match=r"libnowhere\.so is not found"):
        guest.load("libnowhere.so")
    with pytest.raises(UnsupportedError, match="not an x86-64 shared library"):
        load_private(Path(__file__), lambda _: None)


@pytest.mark.parametrize(
    ("soname", "name"), [("libresolv.so.2", "ns_initparse"), ("libmvec.so.1", "_ZGVbN2v_sin")]
)
def test_parts_of_the_c_library_that_the_process_lacks_are_loaded(soname: str, name: str) -> None:
    if find_library(soname) is None:
        pytest.skip(f"needs {soname}")
    guest = GuestLibraries(lambda _: None)
    assert guest.load(soname) is not None
    assert guest.symbol(name)


def test_operator_new_of_libstdcxx_reaches_our_malloc() -> None:
    path = find_library(LIBSTDCXX)
    if path is None:
        pytest.skip("needs libstdc++")
    real = ctypes.CDLL(None)
    real.malloc.restype = ctypes.c_uint64
    sizes: list[int] = []

    @ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint64)
    def our_malloc(size: int) -> int:
        sizes.append(size)
        return int(real.malloc(ctypes.c_size_t(size)))

    ours: dict[str, Any] = {"malloc": ctypes.cast(our_malloc, ctypes.c_void_p).value}
    library = load_private(path, ours.get)
    host = ctypes.CDLL(str(path))
    host["_Znwm"].restype = ctypes.c_uint64
    assert host["_Znwm"](1234) and sizes == []
    assert word(library, "_Znwm", 1234) and sizes == [1234]
    block = library.thread_locals()
    assert block is not None
    globals_addr = word(library, "__cxa_get_globals")
    assert block.address <= globals_addr < block.address + block.size_bytes
    once = library.own_symbol("_ZSt15__once_callable")
    assert once is not None
    assert block.address <= once < block.address + block.size_bytes
    assert library.own_symbol("strlen") is None


def test_unique_symbols_are_not_shared_with_the_host() -> None:
    path = find_library(LIBSTDCXX)
    if path is None:
        pytest.skip("needs libstdc++")
    host = ctypes.CDLL(str(path))
    name = "_ZNSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE2idE"
    library = load_private(path, lambda _: None)
    theirs = ctypes.addressof(ctypes.c_char.in_dll(host, name))
    own = library.own_symbol(name)
    assert own is not None
    assert own != theirs


def test_which_cxx_library() -> None:
    assert needed_cxx_library(["puts", "__cxa_atexit"]) is None
    assert needed_cxx_library(["_Znwm", "puts"]) == LIBSTDCXX
    assert needed_cxx_library(["__gxx_personality_v0"]) == LIBSTDCXX
    assert needed_cxx_library(["_ZTIi"]) == LIBSTDCXX
    assert needed_cxx_library(["_Znwm", "_ZNSt3__14coutE"]) == LIBCXX
    assert needed_cxx_library(["_Znwm", "_ZNSt20bad_array_new_lengthC1Ev"]) == LIBCXX
    assert needed_cxx_library(["_Znwm"], ["_ZNSt3__16vectorIiE"]) == LIBCXX
    assert needed_cxx_library(["puts"], ["_ZNSt3__16vectorIiE"]) is None
