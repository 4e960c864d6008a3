"""localtime_r, mktime, strftime and their kin: what they read and write of the caller's memory.

    localtime_r(&t, &m)   8 bytes read, 56 written         strftime(b, n, f, &m) = r   r + 1 written

Source: the time interceptors of LLVM's sanitizer_common_interceptors.inc.
Deviations: what localtime, gmtime, ctime and asctime keep in the library itself is not looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from irsan.interceptors.passed_memory import read, written
from irsan.interceptors.registry import Export
from irsan.runtime.kernels.kernel import kernel
from irsan.runtime.kernels.strings import NO_FAMILY, whole_string_read

U64_0 = np.uint64(0)
U64_1 = np.uint64(1)
U64_8 = np.uint64(8)
TM_BYTES = np.uint64(56)


@kernel("void(ctx,u64)")
def ask_time(ctx: Any, time: Any) -> None:
    """A time_t is read."""
    read(ctx, time, U64_8)


@kernel("void(ctx,u64)")
def ask_broken_time(ctx: Any, broken: Any) -> None:
    """A struct tm is read."""
    read(ctx, broken, TM_BYTES)


@kernel("void(ctx,u64,u64,u64,u64)")
def ask_strftime(ctx: Any, _target: Any, _limit: Any, form: Any, broken: Any) -> None:
    """Before strftime."""
    whole_string_read(ctx, form, NO_FAMILY)
    read(ctx, broken, TM_BYTES)


@kernel("void(ctx,u64,u64)")
def written_by_strftime(ctx: Any, length: Any, target: Any) -> None:
    """strftime gives the length of what fitted, or 0."""
    if length != U64_0:
        written(ctx, target, length + U64_1)


@kernel("void(ctx,u64,u64)")
def ask_strptime(ctx: Any, text: Any, form: Any) -> None:
    """Before strptime."""
    whole_string_read(ctx, text, NO_FAMILY)
    whole_string_read(ctx, form, NO_FAMILY)


_TM = int(TM_BYTES)

EXPORTS = (
    *(
        Export(
            f"ptr {name}(ptr,ptr)",
            kernel="written_when_given",
            real_first=True,
            before="ask_time",
            takes=(1,),
            constants=(_TM,),
        )
        for name in ("localtime_r", "gmtime_r")
    ),
    Export("ptr ctime_r(ptr,ptr)", kernel="text_when_given", real_first=True, before="ask_time",
           takes=(1,)),
    Export("ptr asctime_r(ptr,ptr)", kernel="text_when_given", real_first=True,
           before="ask_broken_time", takes=(1,)),
    *(
        Export(f"ptr {name}(ptr)", kernel="check_object_read", then_real=True, takes=(0,),
               constants=(size,))
        for name, size in (("localtime", 8), ("gmtime", 8), ("ctime", 8), ("asctime", _TM))
    ),
    *(
        Export(f"i64 {name}(ptr)", kernel="check_object_changed", then_real=True, takes=(0,),
               constants=(_TM,))
        for name in ("mktime", "timegm", "timelocal")
    ),
    Export("u64 strftime(ptr,u64,ptr,ptr)", kernel="written_by_strftime", real_first=True,
           before="ask_strftime"),
    Export("ptr strptime(ptr,ptr,ptr)", kernel="written_when_given", real_first=True,
           before="ask_strptime", takes=(2,), constants=(_TM,)),
    Export("i32 clock_getres(i32,ptr)", kernel="written_when_zero", real_first=True, takes=(1,),
           constants=(16,)),
    Export("i64 times(ptr)", kernel="written_unless_failed", real_first=True, takes=(0,),
           constants=(32,)),
)  # fmt: skip
