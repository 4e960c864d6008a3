"""Uses of intrinsics that need more than one call with operands of every kind."""

from __future__ import annotations

from typing import Final

SETUP: Final = "%t = call token @llvm.call.preallocated.setup(i32 1)"
_GC: Final = 'define void @caller() gc "statepoint-example"'
_CONVERGENT: Final = "define void @caller() convergent"
_STATEPOINT_OF: Final = (
    "%t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0("
    "i64 0, i32 0, ptr elementtype({}) @{}, i32 {}, i32 0, {}i32 0, i32 0)"
)
_ATOMIC_COPY: Final = (
    "element.unordered.atomic.p0.p0.i32(ptr align 4 %a0, ptr align 4 %a0, i32 4, i32 4)"
)
# By name: head, lines, result.
WRITTEN: Final[dict[str, tuple[str, tuple[str, ...], str]]] = {
    "llvm.call.preallocated.arg": ("define void @caller()", (
        SETUP, "%r = call ptr @llvm.call.preallocated.arg(token %t, i32 0) preallocated(i32)",
        'call void @prepared(ptr preallocated(i32) %r) ["preallocated"(token %t)]'), "ptr"),
    "llvm.callbr.landingpad": ("define void @caller()", (
        '%c = callbr i32 asm "", "=r,!i"() to label %direct [label %aside]', "direct:", "ret void",
        "aside:", "%r = call i32 @llvm.callbr.landingpad.i32(i32 %c)"), "i32"),
    "llvm.experimental.convergence.entry": (_CONVERGENT, (
        "%r = call token @llvm.experimental.convergence.entry()",), "token"),
    "llvm.experimental.convergence.loop": (_CONVERGENT, (
        "%t = call token @llvm.experimental.convergence.anchor()", "br label %loop", "loop:",
        '%r = call token @llvm.experimental.convergence.loop() ["convergencectrl"(token %t)]',
        "br i1 true, label %loop, label %done", "done:"), "token"),
    "llvm.experimental.deoptimize": ("define void @caller()", (
        'call void (...) @llvm.experimental.deoptimize.isVoid() ["deopt"()]',), "void"),
    "llvm.experimental.gc.relocate": (_GC, (
        "%p = load ptr addrspace(1), ptr @place",
        _STATEPOINT_OF.format("void (ptr)", "takes", 1, "ptr @place, ")
        + ' ["gc-live"(ptr addrspace(1) %p)]',
        "%r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)"),
        "ptr addrspace(1)"),
    "llvm.experimental.gc.result": (_GC, (
        _STATEPOINT_OF.format("i32 ()", "gives", 0, ""),
        "%r = call i32 @llvm.experimental.gc.result.i32(token %t)"), "i32"),
    "llvm.experimental.gc.statepoint": (_GC, (
        _STATEPOINT_OF.format("i32 ()", "gives", 0, ""),), "void"),
    "llvm.experimental.guard": ("define void @caller(i1 %a0)", (
        'call void (i1, ...) @llvm.experimental.guard(i1 %a0, i32 1) ["deopt"()]',), "void"),
    "llvm.gcroot": ('define void @caller() gc "shadow-stack"', (
        "%v = alloca ptr", "call void @llvm.gcroot(ptr %v, ptr null)"), "void"),
    "llvm.get.fpenv": ("define void @caller()", (
        "%e = call i256 @llvm.get.fpenv.i256()", "%r = trunc i256 %e to i16"), "i16"),
    "llvm.set.fpenv": ("define void @caller()", (
        "%e = call i256 @llvm.get.fpenv.i256()", "call void @llvm.set.fpenv.i256(i256 %e)"),
        "void"),
    "llvm.get.fpmode": ("define void @caller()", (
        "%r = call i64 @llvm.get.fpmode.i64()",), "i64"),
    "llvm.set.fpmode": ("define void @caller()", (
        "%m = call i64 @llvm.get.fpmode.i64()", "call void @llvm.set.fpmode.i64(i64 %m)"), "void"),
    "llvm.lifetime.start": ("define void @caller()", (
        "%v = alloca i32", "call void @llvm.lifetime.start.p0(ptr %v)"), "void"),
    "llvm.lifetime.end": ("define void @caller()", (
        "%v = alloca i32", "call void @llvm.lifetime.start.p0(ptr %v)",
        "call void @llvm.lifetime.end.p0(ptr %v)"), "void"),
    "llvm.llrint": ("define void @caller(float %a0)", (
        "%r = call i64 @llvm.llrint.i64.f32(float %a0)",), "i64"),
    "llvm.read_register": ("define void @caller()", (
        "%s = call i64 @llvm.read_register.i64(metadata !13)", "%r = icmp ne i64 %s, 0"), "i1"),
    "llvm.read_volatile_register": ("define void @caller()", (
        "%s = call i64 @llvm.read_volatile_register.i64(metadata !13)", "%r = icmp ne i64 %s, 0"),
        "i1"),
    "llvm.localrecover": ("define void @caller()", (
        "%v = alloca i32", "call void (...) @llvm.localescape(ptr %v)",
        "%r = call ptr @llvm.localrecover(ptr @caller, ptr null, i32 0)"), "ptr"),
    "llvm.memcpy.element.unordered.atomic": ("define void @caller(ptr %a0)", (
        f"call void @llvm.memcpy.{_ATOMIC_COPY}",), "void"),
    "llvm.memmove.element.unordered.atomic": ("define void @caller(ptr %a0)", (
        f"call void @llvm.memmove.{_ATOMIC_COPY}",), "void"),
    "llvm.memset.element.unordered.atomic": ("define void @caller(ptr %a0)", (
        "call void @llvm.memset.element.unordered.atomic.p0.i32("
        "ptr align 4 %a0, i8 1, i32 4, i32 4)",), "void"),
    "llvm.preserve.array.access.index": ("define void @caller(ptr %a0)", (
        "%r = call ptr @llvm.preserve.array.access.index.p0.p0("
        "ptr elementtype([4 x i32]) %a0, i32 0, i32 1)",), "ptr"),
    "llvm.preserve.struct.access.index": ("define void @caller(ptr %a0)", (
        "%r = call ptr @llvm.preserve.struct.access.index.p0.p0("
        "ptr elementtype({ i32, i32 }) %a0, i32 0, i32 1)",), "ptr"),
    "llvm.stackprotector": ("define void @caller(ptr %a0)", (
        "%v = alloca ptr", "call void @llvm.stackprotector(ptr %a0, ptr %v)"), "void"),
    "llvm.vector.partial.reduce.fadd": ("define void @caller(<4 x float> %a0)", (
        "%b = shufflevector <4 x float> %a0, <4 x float> %a0, <8 x i32> "
        "<i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>",
        "%r = call reassoc <4 x float> @llvm.vector.partial.reduce.fadd.v4f32.v8f32("
        "<4 x float> %a0, <8 x float> %b)"), "<4 x float>"),
}  # fmt: skip
# What a caller may be given.
PARAMETERS: Final = (
    ("ptr", "@place"), ("float", "2.5"), ("i1", "true"),
    ("<4 x float>", "<float 1.0, float 2.0, float 3.0, float 4.0>"),
)  # fmt: skip
