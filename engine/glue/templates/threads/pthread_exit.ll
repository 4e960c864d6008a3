; Interceptors of what ends a thread; unwinding.ll does the rest.

define void @__interceptor___pthread_unwind_next(ptr %buffer) noreturn {
  call void @__irsan_unwind_thread()
  unreachable
}

define void @__interceptor_pthread_exit(ptr %result) noreturn {
  %thread = load i64, ptr @ctx.thread
  %result.addr = add i64 %thread, ptrtoint (ptr @thread.result to i64)
  %result.slot = inttoptr i64 %result.addr to ptr
  store ptr %result, ptr %result.slot
  call void @__irsan_unwind_thread()
  unreachable
}

define void @__interceptor_thrd_exit(i32 %result) noreturn {
  %wide = sext i32 %result to i64
  %word = inttoptr i64 %wide to ptr
  call void @__interceptor_pthread_exit(ptr %word)
  unreachable
}

@ctx.thread = external global i8
@thread.result = external global i8

declare void @__irsan_unwind_thread() noreturn
