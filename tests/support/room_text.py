"""A room for results in LLVM assembly, and the function that prints its bytes and clears it."""

from __future__ import annotations


def room_text(n_bytes: int) -> str:
    """The definition of `@room`."""
    return f"@room = global [{n_bytes} x i8] zeroinitializer, align 64\n"


def show_text(n_bytes: int) -> str:
    """`@show(i1 %shown)`: prints the bytes of `@room` in a line, an empty one if not shown."""
    return f"""@form = private constant [5 x i8] c"%02x\\00"
declare i32 @printf(ptr, ...)
declare i32 @putchar(i32)
define void @show(i1 %shown) {{
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %after ]
  %at = getelementptr i8, ptr @room, i64 %i
  %byte = load i8, ptr %at
  store i8 0, ptr %at
  %wide = zext i8 %byte to i32
  br i1 %shown, label %print, label %after
print:
  %n = call i32 (ptr, ...) @printf(ptr @form, i32 %wide)
  br label %after
after:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, {n_bytes}
  br i1 %more, label %loop, label %done
done:
  %c = call i32 @putchar(i32 10)
  ret void
}}
"""
