"""Variables that say what the processor can do, and the instructions that ask it.

    __cpu_model, __cpu_features2     in the runtime's object, as programs address them directly
    __cpu_indicator_init             natively fills them; `engine/guest/cpu_model.py` has done so
    irsan_cpuid(leaf, sub, out)      EAX, EBX, ECX, EDX;  irsan_xcr0(): what the system keeps
"""

from __future__ import annotations

from typing import Final

NAMES: Final = ("__cpu_model", "__cpu_features2", "__cpu_indicator_init")
PREFIX: Final = "__interceptor_"
N_MORE_WORDS: Final = 7  # features 32 to 255
VARIABLE_BYTES: Final = {"__cpu_model": 16, "__cpu_features2": 32}


def cpu_model_glue() -> str:
    """LLVM text of the variables, and of the instructions that read the processor."""
    return "\n".join(
        [
            f"@{PREFIX}__cpu_model = global [4 x i32] zeroinitializer, align 16",
            f"@{PREFIX}__cpu_features2 = global [8 x i32] zeroinitializer, align 16",
            f"define i32 @{PREFIX}__cpu_indicator_init() nounwind {{\nret i32 0\n}}",
            "define void @irsan_cpuid(i32 %leaf, i32 %sub, ptr %out) nounwind {",
            '%r = call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}"'
            "(i32 %leaf, i32 %sub)",
            "store { i32, i32, i32, i32 } %r, ptr %out\nret void\n}",
            "define i32 @irsan_xcr0() nounwind {",
            '%r = call { i32, i32 } asm "xgetbv", "={ax},={dx},{cx}"(i32 0)',
            "%low = extractvalue { i32, i32 } %r, 0\nret i32 %low\n}",
        ]
    )
