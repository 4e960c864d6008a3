"""Atomic updates by call: each name that irsan has does what LLVM's library does, and is atomic."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irsan.engine.glue.openmp_atomics import PREFIX, atomic_functions
from irsan.interceptors.openmp.atomics import EXPORTS
from tests.engine.test_openmp_routines import ENGINES, natively, run

_TYPES = {"fixed1": "signed char", "fixed2": "short", "fixed4": "int", "fixed8": "long",
          "float4": "float", "float8": "double", "float10": "long double"}  # fmt: skip
_COMPLEX = {"cmplx4": "float complex", "cmplx8": "double complex",
            "cmplx10": "long double complex"}  # fmt: skip
_HEAD = """
#include <complex.h>
#include <omp.h>
#include <stdio.h>
static struct { int unused[4]; const char *where; } at = {{0, 2}, ";unknown;unknown;0;0;;"};
"""
SHARED = """
extern void __kmpc_atomic_float8_add(void *, int, double *, double);
extern double __kmpc_atomic_float8_rd(void *, int, double *);
int main(void) {
    double sum = 0;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 100; i++) {
        __kmpc_atomic_float8_add(&at, 0, &sum, i);
        LOOK;
    }
    printf("%g\\n", sum);
}
"""


def names() -> list[str]:
    """Those of reals that LLVM's library has: of unsigned numbers what depends on the sign."""
    plain = {export.name for export in EXPORTS if export.name.startswith(PREFIX)}
    kept = {name for name in plain if not re.search(r"fixed\du_(?!div|shr)", name)}
    return sorted(kept | {name for name in atomic_functions() if "_cmplx" not in name})


def call_of(name: str) -> tuple[str, str]:
    """A declaration in C, and statements that call the function and print what it has done."""
    family, word = re.fullmatch(rf"{PREFIX}([a-z]+\d+u?)_(\w+)", name).groups()  # type: ignore[union-attr]
    kind = _TYPES[family.rstrip("u")] if family != "fixed1u" else "char"
    kind = f"unsigned {kind.replace('signed ', '')}" if family.endswith("u") else kind
    value = "double" if word.endswith("float8") else kind
    is_read, captures = word == "rd", "_cpt" in word
    returns = kind if is_read or captures or word == "swp" else "void"
    parameters = ["void *", "int", f"{kind} *", *([] if is_read else [value])]
    parameters += ["int"] if captures else []
    old = "-13" if family in ("fixed2", "fixed8") else "13.5"
    lines = ""
    for flag in ("0", "1") if captures else ("",):
        given = ", ".join(["&at", "0", "&x", *([] if is_read else [f"({value})3.75"]), *flag])
        call = f"{name}({given})"
        lines += f"  {{ {kind} x = ({kind}){old}, r = 0; {'' if returns == 'void' else 'r = '}"
        lines += f'{call}; printf("{name} %Lg %Lg\\n", (long double)x, (long double)r); }}\n'
    return f"extern {returns} {name}({', '.join(parameters)});\n", lines


def complex_names() -> list[str]:
    return sorted(name for name in atomic_functions() if name.startswith(f"{PREFIX}cmplx"))


def complex_call_of(name: str) -> tuple[str, str]:
    """The same for a complex number: two floats are given at an address."""
    family, word = re.fullmatch(rf"{PREFIX}(cmplx\d+)_(\w+)", name).groups()  # type: ignore[union-attr]
    kind = _COMPLEX[family]
    value = _COMPLEX["cmplx8"] if word.endswith("cmplx8") else kind
    gives, captures = word in ("rd", "swp") or "_cpt" in word, "_cpt" in word
    by_address = gives and family == "cmplx4" and word != "rd"
    parameters = ["void *", "int", f"{kind} *", *([value] if word != "rd" else [])]
    parameters += [f"{kind} *"] * by_address + ["int"] * captures
    lines = ""
    for flag in ("0", "1") if captures else ("",):
        given = ["&at", "0", "&x", *(["3.75 - 0.5 * I"] if word != "rd" else [])]
        call = f"{name}({', '.join([*given, *['&r'] * by_address, *flag])})"
        lines += f"  {{ {kind} x = 13.5 + 2 * I, r = 0; "
        lines += f"{'r = ' if gives and not by_address else ''}{call}; "
        shown = ", ".join(f"(double)c{part}l({one})" for one in "xr" for part in ("real", "imag"))
        lines += f'printf("{name} %g %g %g %g\\n", {shown}); }}\n'
    returns = kind if gives and not by_address else "void"
    return f"extern {returns} {name}({', '.join(parameters)});\n", lines


def program() -> str:
    parts = [call_of(name) for name in names()]
    parts += [complex_call_of(name) for name in complex_names()]
    declared, body = "".join(one for one, _ in parts), "".join(lines for _, lines in parts)
    return f"{_HEAD}{declared}int main(void) {{\n  omp_get_max_threads();\n{body}}}\n"


@pytest.mark.parametrize("engine", ENGINES)
def test_each_does_what_llvms_library_does(tmp_path: Path, engine: str) -> None:
    printed, said = run(tmp_path, engine, program())
    assert said == "" and len(printed.splitlines()) > 330
    assert printed.splitlines() == natively(tmp_path, program()).splitlines()


@pytest.mark.parametrize("engine", ENGINES)
def test_they_are_atomic_and_race_with_plain_accesses(tmp_path: Path, engine: str) -> None:
    atomic = SHARED.replace("LOOK", "__kmpc_atomic_float8_rd(&at, 0, &sum)")
    assert run(tmp_path, engine, _HEAD + atomic) == ("4950\n", "")
    _, said = run(tmp_path, engine, _HEAD + SHARED.replace("LOOK", 'if (sum < 0) puts("no")'))
    assert "data race" in said
