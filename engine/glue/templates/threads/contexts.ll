; Fibers: swapcontext and setcontext, around the C library's own functions.
;
; What the stack that is left must find again lies in a room on that very stack:
; interceptors/threads/ucontext.py.  irsan_fiber_ended is where a fiber without a uc_link returns
; to: exit(0), as the C library has it.

module asm ".text"
module asm ".p2align 4"
module asm ".globl irsan_fiber_ended"
module asm ".type irsan_fiber_ended, @function"
module asm "irsan_fiber_ended:"
module asm ".cfi_startproc"
module asm ".cfi_undefined rip"
module asm "xorl %edi, %edi"
module asm "callq __interceptor_exit"
module asm "ud2"
module asm ".cfi_endproc"
module asm ".size irsan_fiber_ended, .-irsan_fiber_ended"

define i32 @__interceptor_swapcontext(ptr %from, ptr %to) noinline {
  %source = ptrtoint ptr %from to i64
  %target = ptrtoint ptr %to to i64
  %bytes = call i64 @k.context_room_bytes()
  %place = alloca i8, i64 %bytes, align 16
  %room = ptrtoint ptr %place to i64
  call void @k.leave_context(i64 %room, i64 %source, i64 %target,
    i64 ptrtoint (ptr @irsan_fiber_ended to i64))
  %result = call i32 @__irsan_real_swapcontext(ptr %from, ptr %to) returns_twice
  call void @k.enter_context(i64 %room)
  ret i32 %result
}

define i32 @__interceptor_setcontext(ptr %to) noinline {
  %target = ptrtoint ptr %to to i64
  call void @k.replace_context(
    i64 %target, i64 ptrtoint (ptr @irsan_fiber_ended to i64))
  %result = call i32 @__irsan_real_setcontext(ptr %to)
  ret i32 %result
}

declare i64 @k.context_room_bytes()
declare void @k.enter_context(i64)
declare void @k.leave_context(i64, i64, i64, i64)
declare void @k.replace_context(i64, i64)
declare i32 @__irsan_real_setcontext(ptr)
declare i32 @__irsan_real_swapcontext(ptr, ptr) returns_twice
declare void @irsan_fiber_ended()
