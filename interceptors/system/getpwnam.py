"""getpwnam, getgrgid_r, getmntent_r and similar: entries of the system's tables.

    getpwnam("root")                     the name is read; the result is the library's own, for all
                                         threads (library_states.py)
    getpwuid_r(u, &e, b, n, &r) = 0      8 bytes at &r; if there is an entry: 48 at &e, its strings

Source: the interceptors of LLVM's sanitizer_common_interceptors.inc; getpwnam_r(3), getgrnam_r(3).
Deviations: a group's list of members is not looked at.
"""

from __future__ import annotations

from irsan.interceptors.memory.passed_memory import text_written, written
from irsan.interceptors.registry import Export
from irsan.interceptors.text.state_checks import reads_text
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.memory import load_u32, load_u64
from irsan.runtime.kernels.record_types import Context
from irsan.runtime.kernels.scalars import i32, u64
from irsan.runtime.layout import libc_layout as libc

PASSWD_BYTES = libc.size("struct passwd")
GROUP_BYTES = libc.size("struct group")
GECOS_AT = libc.offset("struct passwd.pw_gecos")
FOLDER_AT = libc.offset("struct passwd.pw_dir")
SHELL_AT = libc.offset("struct passwd.pw_shell")


@kernel
def entry_found(ctx: Context, status: i32, result_place: u64, _entry: u64) -> bool:
    """Whether a reentrant function has filled an entry; where it says so was written."""
    if status != 0:
        return False
    written(ctx, result_place, 8)
    return load_u64(result_place) != 0


@kernel
def passwd_written(ctx: Context, status: i32, entry: u64, result_place: u64) -> None:
    """getpwnam_r and similar."""
    if not entry_found(ctx, status, result_place, entry):
        return
    written(ctx, entry, PASSWD_BYTES)
    text_written(ctx, load_u64(entry))
    text_written(ctx, load_u64(entry + 8))
    text_written(ctx, load_u64(entry + GECOS_AT))
    text_written(ctx, load_u64(entry + FOLDER_AT))
    text_written(ctx, load_u64(entry + SHELL_AT))


@kernel
def group_written(ctx: Context, status: i32, entry: u64, result_place: u64) -> None:
    """getgrnam_r and similar."""
    if not entry_found(ctx, status, result_place, entry):
        return
    written(ctx, entry, GROUP_BYTES)
    text_written(ctx, load_u64(entry))
    text_written(ctx, load_u64(entry + 8))


@kernel
def groups_written(ctx: Context, status: i32, groups: u64, count_place: u64) -> None:
    """getgrouplist: how many there are, and as many as had room."""
    written(ctx, count_place, 4)
    if status >= 0:
        written(ctx, groups, u64(load_u32(count_place)) * 4)


@kernel
def three_numbers_written(ctx: Context, status: i32, first: u64, second: u64, third: u64) -> None:
    """getresuid and getresgid."""
    if status == 0:
        written(ctx, first, 4)
        written(ctx, second, 4)
        written(ctx, third, 4)


def _reentrant(kind: str) -> tuple[Export, ...]:
    kernel_name = "passwd_written" if kind == "pw" else "group_written"
    number = "uid" if kind == "pw" else "gid"
    rows = (
        (f"get{kind}nam_r(ptr,ptr,ptr,u64,ptr)", (1, 4), "ask_text"),
        (f"get{kind}{number}_r(i32,ptr,ptr,u64,ptr)", (1, 4), ""),
        (f"get{kind}ent_r(ptr,ptr,u64,ptr)", (0, 3), ""),
        (f"fget{kind}ent_r(ptr,ptr,ptr,u64,ptr)", (1, 4), ""),
    )
    return tuple(
        Export(f"i32 {row}", kernel=kernel_name, real_first=True, takes=takes, before=before)
        for row, takes, before in rows
    )


EXPORTS = (
    *_reentrant("pw"),
    *_reentrant("gr"),
    reads_text("ptr getpwnam(ptr)"),
    reads_text("ptr getgrnam(ptr)"),
    Export("i32 getgrouplist(ptr,i32,ptr,ptr)", kernel="groups_written", real_first=True,
           before="ask_text", takes=(2, 3)),
    *(
        Export(f"i32 {name}(ptr,ptr,ptr)", kernel="three_numbers_written", real_first=True)
        for name in ("getresuid", "getresgid")
    ),
)  # fmt: skip
