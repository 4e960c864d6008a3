"""The sources of the bundled compiler's C++ library, and how they are compiled.

    libc++.a(locale.o)             <- libcxx/src/locale.cpp
    libc++abi.a(private_typeinfo.o) <- libcxxabi/src/private_typeinfo.cpp

zig builds its native archives of these very files, so a member of an archive says which file its
symbols come from.

Some members stay native.  Those of libc++abi that throw, catch and unwind run between the frames
of the program, called by the native unwinder, and so does what ends a program (std::terminate):
irsan follows exceptions by the calls of the program itself.  Operators new and delete and guards of
static variables are interceptors.  The demangler only serves messages of std::terminate.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

NATIVE_MEMBERS: Final = frozenset({
    "abort_message", "cxa_default_handlers", "cxa_demangle", "cxa_exception",
    "cxa_exception_storage", "cxa_guard", "cxa_handlers", "cxa_personality", "cxa_thread_atexit",
    "fallback_malloc", "new", "stdlib_new_delete",
})  # fmt: skip

#: as zig compiles them, but for what the platform decides; a header of LLVM's libc that includes
#: interfaces of sanitizers, which zig does not have, is left out by its guard; types are the same
#: when their names are, as other images may have a libc++, and std::exception, of their own
DEFINES: Final = (
    "NDEBUG", "_LIBCPP_BUILDING_LIBRARY", "_LIBCXXABI_BUILDING_LIBRARY",
    "LIBCXX_BUILDING_LIBCXXABI", "LIBC_NAMESPACE=__llvm_libc_common_utils",
    "LLVM_LIBC_SRC___SUPPORT_MACROS_SANITIZER_H", "MSAN_UNPOISON(place,size)=",
    "_LIBCPP_TYPEINFO_COMPARISON_IMPLEMENTATION=2",
)  # fmt: skip
STANDARD: Final = "c++23"
_FOLDERS: Final = ("libcxx/src", "libcxx/src/filesystem", "libcxx/src/ryu", "libcxxabi/src")


def library_folder(compiler: Sequence[str]) -> Path | None:
    """zig's `lib` with the sources; None where this zig has none beside it."""
    if "ziglang" in compiler:
        spec = importlib.util.find_spec("ziglang") if compiler[0] == sys.executable else None
        binary = Path(spec.origin) if spec is not None and spec.origin is not None else None
    else:
        found = shutil.which(compiler[0])
        binary = Path(os.path.realpath(found)) if found is not None else None
    if binary is None:
        return None
    places = (binary.with_name("lib"), binary.parent.parent / "lib" / "zig")
    return next((place for place in places if (place / "libcxx/src/string.cpp").is_file()), None)


def library_sources(folder: Path) -> dict[str, Path]:
    """Source by the name of the object that is made of it, without those that stay native."""
    found: dict[str, Path] = {}
    for place in _FOLDERS:
        for path in sorted((folder / place).glob("*.cpp")):
            if path.stem not in NATIVE_MEMBERS:
                found.setdefault(path.stem, path)
    return found


def include_folders(folder: Path) -> tuple[str, ...]:
    """Where the sources look for what programs do not see."""
    return tuple(str(folder / name) for name in ("libcxx/src", "libcxxabi/src", "libcxx/libc"))
