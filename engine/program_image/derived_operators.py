"""operator new and delete as the C++ standard derives them from those that a program replaces.

    the program defines      operator new(size_t)
    and so it has, too       operator new[](size_t), operator new(size_t, nothrow_t),
                             operator new[](size_t, nothrow_t), each calling the one above it

Interceptors stand in for all forms.  One form that the program replaces must be used by those that
are defined by calling it, so `derived_operators` makes a module with these, next to the program's.
It is instrumented like foreign IR: facts about a pointer pass through.

Source: [new.delete.single] and [new.delete.array] of the C++ standard; Itanium C++ ABI for names.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

_NOTHROW: Final = "RKSt9nothrow_t"
_ALIGNED: Final = "St11align_val_t"

#: form -> the form that its default version calls
DERIVED_FROM: Final = {
    form.format(al=aligned): base.format(al=aligned)
    for aligned in ("", _ALIGNED)
    for form, base in (
        ("_Znam{al}", "_Znwm{al}"),
        ("_Znwm{al}" + _NOTHROW, "_Znwm{al}"),
        ("_Znam{al}" + _NOTHROW, "_Znam{al}"),
        ("_ZdaPv{al}", "_ZdlPv{al}"),
        ("_ZdlPvm{al}", "_ZdlPv{al}"),
        ("_ZdaPvm{al}", "_ZdaPv{al}"),
        ("_ZdlPv{al}" + _NOTHROW, "_ZdlPv{al}"),
        ("_ZdaPv{al}" + _NOTHROW, "_ZdaPv{al}"),
    )
}
_PLAIN: Final = (
    "define {kind} @{name}({parameters}) {{\n"
    "  {value}call {kind} @{base}({passed})\n  ret {result}\n}}"
)
_NOTHROW_NEW: Final = """define ptr @{name}({parameters}) personality ptr @__gxx_personality_v0 {{
  %p = invoke ptr @{base}({passed}) to label %granted unwind label %thrown
granted:
  ret ptr %p
thrown:
  %caught = landingpad {{ ptr, i32 }} catch ptr null
  %exception = extractvalue {{ ptr, i32 }} %caught, 0
  %object = call ptr @__cxa_begin_catch(ptr %exception)
  call void @__cxa_end_catch()
  ret ptr null
}}"""
_RUN_TIME: Final = (
    "declare i32 @__gxx_personality_v0(...)",
    "declare ptr @__cxa_begin_catch(ptr)",
    "declare void @__cxa_end_catch()",
)


def derived_forms(defined: Collection[str]) -> list[str]:
    """Forms that the program does not define, of which the standard's version calls one it does."""
    return [form for form in DERIVED_FROM if form not in defined and _leads_to(form, defined)]


def derived_operators(defined: Collection[str], triple: str, data_layout: str) -> str:
    """LLVM text of the forms derived from what the program defines; "" when there are none."""
    forms = derived_forms(defined)
    if not forms:
        return ""
    bases = sorted({DERIVED_FROM[form] for form in forms} - set(forms))
    lines = [f'target datalayout = "{data_layout}"', f'target triple = "{triple}"']
    lines += [f"declare {_kind(base)} @{base}({', '.join(_types(base))})" for base in bases]
    if any(_is_nothrow_new(form) for form in forms):
        lines += _RUN_TIME
    return "\n".join([*lines, *map(_definition, forms), ""])


def _leads_to(form: str, defined: Collection[str]) -> bool:
    base = DERIVED_FROM.get(form)
    return base is not None and (base in defined or _leads_to(base, defined))


def _definition(form: str) -> str:
    """The form's body: its base is called with the first arguments, and the alignment."""
    base = DERIVED_FROM[form]
    types = _types(form)
    parameters = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(types))
    kept = [i for i, role in enumerate(_roles(form)) if role in _roles(base)]
    passed = ", ".join(f"{types[i]} %a{i}" for i in kept)
    template = _NOTHROW_NEW if _is_nothrow_new(form) else _PLAIN
    is_new = _is_new(form)
    return template.format(
        name=form, base=base, parameters=parameters, passed=passed, kind=_kind(form),
        value="%p = " if is_new else "", result="ptr %p" if is_new else "void",
    )  # fmt: skip


def _roles(form: str) -> list[str]:
    """What a form's parameters are, in order."""
    size = ["size"] if _is_new(form) else ["pointer", *["bytes"] * ("Pvm" in form)]
    return [*size, *["align"] * (_ALIGNED in form), *["tag"] * (_NOTHROW in form)]


def _types(form: str) -> list[str]:
    return ["ptr" if role in ("pointer", "tag") else "i64" for role in _roles(form)]


def _kind(form: str) -> str:
    return "ptr" if _is_new(form) else "void"


def _is_new(form: str) -> bool:
    return form.startswith(("_Znw", "_Zna"))


def _is_nothrow_new(form: str) -> bool:
    return _is_new(form) and _NOTHROW in form
