; The end of a thread by pthread_exit or cancellation: its stack is unwound first.
;
;   __irsan_unwind_thread    forced unwinding of the guest's frames: destructors of C++ objects and
;                            `cleanup` attributes run, innermost first
;   irsan_unwind_step        asked before each frame: once that with the newest jump buffer of a
;                            C cleanup handler is passed, that is jumped to; at the end of the stack
;                            the thread ends
;   irsan_end_unwinding      the newest cleanup handler of C code, or the end of the thread
;
; A handler jumped to calls __pthread_unwind_next, which starts unwinding again from its frame.
; The unwinder's record lives in the thread's own, because the frame that starts the unwinding is
; below the destructors that it runs.  A `catch (...)` that does not throw again ends the program.
;
; Source: the C++ ABI for Itanium, exception handling, 1.3 (_Unwind_ForcedUnwind) and 1.6.3.
; Deviations: a jump buffer's handler runs after the destructors of its own frame; no compiler
; makes both in one function.

@irsan_not_rethrown = constant [30 x i8] c"FATAL: exception not rethrown\0A"

define void @__irsan_unwind_thread() noreturn noinline {
  %thread = load i64, ptr @ctx.thread
  %place = add i64 %thread, ptrtoint (ptr @constants.UNWINDING_LO to i64)
  %aligned = and i64 %place, -16
  %record = inttoptr i64 %aligned to ptr
  call void @llvm.memset.p0.i64(ptr %record, i8 0, i64 32, i1 false)
  %cleanup = getelementptr i8, ptr %record, i64 8
  store ptr @irsan_exception_lost, ptr %cleanup
  %failed = call i32 @__irsan_real__Unwind_ForcedUnwind(
    ptr %record, ptr @irsan_unwind_step, ptr null)
  call void @irsan_end_unwinding()
  unreachable
}

define i32 @irsan_unwind_step(
    i32 %version, i32 %actions, i64 %class, ptr %record, ptr %context, ptr %unused) {
  %end = and i32 %actions, ptrtoint (ptr @constants.END_OF_STACK to i32)
  %is.end = icmp ne i32 %end, 0
  br i1 %is.end, label %leave, label %frame
leave:
  call void @irsan_end_unwinding()
  unreachable
frame:
  %thread = load i64, ptr @ctx.thread
  %buffer.addr = add i64 %thread, ptrtoint (ptr @thread.cancel.buffer to i64)
  %buffer.slot = inttoptr i64 %buffer.addr to ptr
  %buffer = load i64, ptr %buffer.slot
  %none = icmp eq i64 %buffer, 0
  br i1 %none, label %on, label %compare
compare:
  %stack = call i64 @__irsan_real__Unwind_GetCFA(ptr %context)
  %is.passed = icmp ugt i64 %stack, %buffer
  br i1 %is.passed, label %leave, label %on
on:
  ret i32 0
}

define void @irsan_exception_lost(i32 %reason, ptr %record) {
  %ignored = call i64 @__irsan_real_write(
    i32 2, ptr @irsan_not_rethrown, i64 30)
  call void @__irsan_real_abort()
  unreachable
}

define void @irsan_end_unwinding() noreturn noinline {
  %buffer = call i64 @k.take_cancel_buffer()
  %none = icmp eq i64 %buffer, 0
  br i1 %none, label %leave, label %jump
jump:
  %target = inttoptr i64 %buffer to ptr
  call void @__irsan_real_longjmp(ptr %target, i32 1)
  unreachable
leave:
  %thread = load i64, ptr @ctx.thread
  %result.addr = add i64 %thread, ptrtoint (ptr @thread.result to i64)
  %result.slot = inttoptr i64 %result.addr to ptr
  %result = load ptr, ptr %result.slot
  call void @__irsan_thread_exit(ptr %result)
  unreachable
}

@constants.END_OF_STACK = external global i8
@constants.UNWINDING_LO = external global i8
@ctx.thread = external global i8
@thread.cancel.buffer = external global i8
@thread.result = external global i8

declare i64 @k.take_cancel_buffer()
declare i32 @__irsan_real__Unwind_ForcedUnwind(ptr, ptr, ptr)
declare i64 @__irsan_real__Unwind_GetCFA(ptr)
declare void @__irsan_real_abort() noreturn
declare void @__irsan_real_longjmp(ptr, i32) noreturn
declare i64 @__irsan_real_write(i32, ptr, i64)
declare void @__irsan_thread_exit(ptr) noreturn
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
