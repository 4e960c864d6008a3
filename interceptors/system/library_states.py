"""lrand48, getpwuid, ttyname and similar: all that they do is with data kept in the library.

    getpwuid(0)     writes what the C library keeps for getpwuid (race/library_states.py)
"""

from __future__ import annotations

from irsan.interceptors.registry import Export
from irsan.interceptors.text.state_checks import keeps_state
from irsan.runtime.records.race.library_states import state_of

EXPORTS = (
    *(
        keeps_state(prototype)
        for prototype in (
            "f64 drand48()", "i64 lrand48()", "i64 mrand48()", "void srand48(i64)",
            "ptr getpwuid(i32)", "ptr getpwent()", "ptr getgrgid(i32)", "ptr getgrent()",
            "ptr getprotobynumber(i32)", "ptr getmntent(ptr)", "ptr ttyname(i32)",
            "ptr ptsname(i32)", "ptr getlogin()", "ptr l64a(i64)",
            "ptr hsearch(ptr,ptr,i32)", "i32 hcreate(u64)", "void hdestroy()",
            "ptr ecvt(f64,i32,ptr,ptr)", "ptr fcvt(f64,i32,ptr,ptr)",
        )
    ),
    *(
        Export(prototype, kernel="check_object_and_state", then_real=True, takes=(0,),
               constants=(n_bytes, state_of("seed48")))
        for prototype, n_bytes in (("ptr seed48(ptr)", 6), ("void lcong48(ptr)", 14))
    ),
    Export("ptr getservbyname(ptr,ptr)", kernel="check_two_texts_and_state", then_real=True,
           takes=(0, 1), constants=(state_of("getservbyname"),)),
    Export("ptr getservbyport(i32,ptr)", kernel="check_text_and_state", then_real=True,
           takes=(1,), constants=(state_of("getservbyport"),)),
)  # fmt: skip
