"""Small pieces of LLVM text that every part of the glue is written with."""

from __future__ import annotations

from collections.abc import Sequence

from irsan.runtime.layout import memory_map
from irsan.runtime.layout.field_offsets import field_offset
from irsan.runtime.records.context import CONTEXT_DTYPE

LLVM_TYPES = {
    "void": "void",
    "ptr": "ptr",
    "b1": "i8",
    "u8": "i8",
    "u16": "i16",
    "u32": "i32",
    "u64": "i64",
    "i32": "i32",
    "i64": "i64",
    "f32": "float",
    "f64": "double",
    "f80": "x86_fp80",
    "...": "ptr",  # the address of a va_list made of the arguments
    "va": "ptr",  # the address of the caller's va_list
}


def llvm_type(word: str) -> str:
    """The type of a kernel's argument: records are pointers, or addresses that begin with @."""
    return "i64" if word.startswith("@") else LLVM_TYPES.get(word, "ptr")


LIKELY = "!0"  # first successor is taken almost always
UNLIKELY = "!1"
PROFILE_METADATA = (
    '!0 = !{!"branch_weights", i32 100000, i32 1}\n!1 = !{!"branch_weights", i32 1, i32 100000}\n'
)


VA_LISTS = ("...", "va")  # kinds of arguments that are the address of a va_list


def asked(call: str, name: str) -> list[str]:
    """Lines that ask a kernel, `call`, a question: the register with a name is the answer."""
    return [f"%{name}.word = {call}", f"%{name} = icmp ne i8 %{name}.word, 0"]


def context_field(path: str, index: int = 0) -> str:
    """Constant pointer to a field of the Context, or a word of one, as an LLVM operand."""
    addr = memory_map.CONTEXT_ADDR + field_offset(CONTEXT_DTYPE, path, index)
    return f"ptr inttoptr (i64 {addr} to ptr)"


def parameter_list(arguments: Sequence[str]) -> str:
    """Parameters %a0, %a1, ... of a definition; `...` stays what it is."""
    kinds = [
        kind if kind == "..." else f"{LLVM_TYPES[kind]} %a{i}" for i, kind in enumerate(arguments)
    ]
    return ", ".join(kinds)


def open_va_list(arguments: Sequence[str]) -> list[str]:
    """Lines that make the argument `...` a register %a<i> like the others: a va_list's address."""
    if "..." not in arguments:
        return []
    register = f"%a{len(arguments) - 1}"
    return [
        f"{register} = alloca [24 x i8], align 16",
        f"call void @llvm.va_start.p0(ptr {register})",
    ]


def as_kernel_argument(kind: str, register: str, name: str) -> tuple[list[str], str]:
    """Lines and operand that turn a C argument into a kernel argument (pointers become i64)."""
    if kind in ("ptr", *VA_LISTS):
        return [f"{name} = ptrtoint ptr {register} to i64"], f"i64 {name}"
    return [], f"{LLVM_TYPES[kind]} {register}"


def return_value(result: str, kernel_result: str, value: str) -> list[str]:
    """Lines that return a kernel's value as the C result type."""
    if result == "void":
        return ["ret void"]
    if result == "ptr":
        return [f"%as.ptr = inttoptr i64 {value} to ptr", "ret ptr %as.ptr"]
    wanted, given = LLVM_TYPES[result], LLVM_TYPES[kernel_result]
    if wanted == given:
        return [f"ret {wanted} {value}"]
    return [f"%as.c = trunc {given} {value} to {wanted}", f"ret {wanted} %as.c"]
