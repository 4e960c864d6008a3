"""Names of Fortran's procedures and variables as flang mangles them.

    _QMsharedPadd        shared::add
    _QMmSsubFouterPin    m::sub::outer::in
    _QQmain..omp_par     main program..omp_par

Source: the flang documents, "Bijective Internal Name Uniquing".
Deviation: what kind of thing a name is of is not shown.
"""

from __future__ import annotations

import re
from typing import Final

_MAIN: Final = "_QQmain"
_NAME: Final = re.compile(r"_Q((?:[MSFPECNT][a-z0-9_]+)+)(.*)")
_PART: Final = re.compile(r"[MSFPECNT]([a-z0-9_]+)")


def fortran_name(symbol: str) -> str | None:
    """The name of a symbol of flang's; None when it is not one."""
    if symbol.startswith(_MAIN) and symbol[len(_MAIN) : len(_MAIN) + 1] in ("", "."):
        return f"main program{symbol[len(_MAIN) :]}"
    found = _NAME.fullmatch(symbol)
    if found is None or found[2][:1] not in ("", "."):
        return None
    return "::".join(_PART.findall(found[1])) + found[2]
