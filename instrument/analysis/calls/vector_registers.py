"""How wide the vector registers are that a function's code may use, by its attributes.

    possible_vector_bytes(function.attributes.function) == (32,)      "target-features"="+avx"

Calls depend on it: a vector is passed in pieces of that size.  Several widths are possible where
the processor is given by name only.

Source: the LLVM Language Reference for the attributes; which width follows was found by compiling
(tests/instrument/test_places_in_calls.py).
"""

from __future__ import annotations

from typing import Final

from irsan.ir.attributes import AttributeSet, find_attribute

_WIDTHS_OF_CPU: Final = {
    "": (16,), "generic": (16,), "x86-64": (16,), "x86-64-v2": (16,), "x86-64-v3": (32,),
    "x86-64-v4": (64,),
}  # fmt: skip
_IMPLY_32: Final = frozenset({"fma", "f16c", "fma4", "xop", "vaes", "vpclmulqdq"})
_NEEDED: Final = frozenset({"sse", "sse2"})


def possible_vector_bytes(attributes: AttributeSet) -> tuple[int, ...]:
    """Sizes that the widest vector register may have; none: there may be no such registers."""
    cpu, features = _text(attributes, "target-cpu"), _text(attributes, "target-features").split(",")
    if "+soft-float" in features or any(f"-{one}" in features for one in _NEEDED):
        return ()
    is_told = "+avx" in features or "-avx" in features
    known = _WIDTHS_OF_CPU.get(cpu, (16,) if is_told else (16, 32, 64))
    found = tuple(sorted({_changed(width, features) for width in known}))
    least = _text(attributes, "min-legal-vector-width")
    if 64 in found and least.isdigit() and int(least) < 512:
        return tuple(sorted({32, *found}))  # the code generator may do without the widest
    return found


def _changed(width: int, features: list[str]) -> int:
    for feature in features:
        sign, name = feature[:1], feature[1:]
        told = _width_of(name)
        if sign == "+":
            width = max(width, told)
        elif sign == "-" and told:
            width = min(width, 16 if name == "avx" else 32 if name in ("avx2", "avx512f") else 64)
    return width


def _width_of(feature: str) -> int:
    """Bytes of the registers that a feature brings, 0 when it says nothing of them."""
    if feature.startswith(("avx512", "avx10")):
        return 64
    return 32 if feature.startswith("avx") or feature in _IMPLY_32 else 0


def _text(attributes: AttributeSet, kind: str) -> str:
    found = find_attribute(attributes, kind)
    return found.value if found is not None and isinstance(found.value, str) else ""
