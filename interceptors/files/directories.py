"""glob, scandir, readdir_r, getxattr and similar: directories, paths and attributes of files.

    glob(pattern, f, e, &g) = 0         pattern read, 72 bytes of g written
    getxattr(path, name, v, n) = r      both texts read, r bytes of v written when n is not 0
    canonicalize_file_name(p)           the result is a block of our own heap

Source: the interceptors of LLVM's sanitizer_common_interceptors.inc; glob(3), getxattr(2).
"""

from __future__ import annotations

from irsan.interceptors.host_functions import host_function
from irsan.interceptors.memory.adopted import adopt_string
from irsan.interceptors.memory.passed_memory import written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u16, load_u64, real_realpath
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, i64, u64
from irsan.runtime.kernels.text.strings import NO_FAMILY, whole_string_read
from irsan.runtime.layout import libc_layout as libc

ENTRY_SIZE_AT = libc.offset("struct dirent.d_reclen")
real_current_dir = host_function("get_current_dir_name", 0)


@kernel
def i_canonicalize(ctx: Context, path: u64) -> u64:
    """canonicalize_file_name."""
    whole_string_read(ctx, path, NO_FAMILY)
    return adopt_string(ctx, real_realpath(path, 0))


@kernel
def i_current_dir_name(ctx: Context) -> u64:
    """get_current_dir_name."""
    return adopt_string(ctx, real_current_dir())


@kernel
def entry_written(ctx: Context, status: i32, entry: u64, result_place: u64) -> None:
    """readdir_r: an entry as long as it says, or none at the end."""
    if status != 0:
        return
    written(ctx, result_place, 8)
    if load_u64(result_place) != 0:
        written(ctx, entry, u64(load_u16(entry + ENTRY_SIZE_AT)))


@kernel
def attribute_written(ctx: Context, n_bytes: i64, target: u64, limit: u64) -> None:
    """getxattr and listxattr; a limit of 0 only asks for the size."""
    if n_bytes > 0 and limit != 0:
        written(ctx, target, u64(n_bytes))


_ATTRIBUTES = (
    ("getxattr(ptr,ptr,ptr,u64)", (2, 3), "ask_two_texts"),
    ("lgetxattr(ptr,ptr,ptr,u64)", (2, 3), "ask_two_texts"),
    ("fgetxattr(i32,ptr,ptr,u64)", (2, 3), "ask_second_text"),
    ("listxattr(ptr,ptr,u64)", (1, 2), "ask_text"),
    ("llistxattr(ptr,ptr,u64)", (1, 2), "ask_text"),
    ("flistxattr(i32,ptr,u64)", (1, 2), ""),
)
_FOUND = (
    ("glob{}(ptr,i32,ptr,ptr)", "written_when_zero", (3,), (libc.size("glob_t"),)),
    ("scandir{}(ptr,ptr,ptr,ptr)", "written_unless_failed", (1,), (8,)),
)

EXPORTS = (
    *(
        Export(f"i64 {row}", kernel="attribute_written", real_first=True, takes=takes,
               before=before)
        for row, takes, before in _ATTRIBUTES
    ),
    *(
        Export(f"i32 {row.format(bits)}", kernel=name, real_first=True, takes=takes,
               constants=sizes, before="ask_text")
        for row, name, takes, sizes in _FOUND
        for bits in ("", "64")
    ),
    Export("i32 wordexp(ptr,ptr,i32)", kernel="written_when_zero", real_first=True,
           takes=(1,), constants=(libc.size("wordexp_t"),), before="ask_text"),
    *(
        Export(f"i32 readdir{bits}_r(ptr,ptr,ptr)", kernel="entry_written", real_first=True,
               takes=(1, 2))
        for bits in ("", "64")
    ),
    Export("ptr canonicalize_file_name(ptr)", kernel="i_canonicalize"),
    Export("ptr get_current_dir_name()", kernel="i_current_dir_name"),
    *(
        Export(f"i32 {row}", kernel="text_when_zero", real_first=True, takes=(1,))
        for row in ("ttyname_r(i32,ptr,u64)", "ptsname_r(i32,ptr,u64)")
    ),
)  # fmt: skip
