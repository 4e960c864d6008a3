; Programs that end themselves: abort, and the functions of a failed assertion.
;
;   __interceptor_abort   its caller is passed to the host, then irsan_abort_now
;   __interceptor___assert_fail and its like   the host prints the C library's text, then the same
;   irsan_abort_now       SIGABRT is unblocked and raised: the program's handler runs, or the crash
;                         handler; when that handler returns or the signal is ignored, the default
;                         action is put back and it is raised again
;
; The C library's own abort would end the process behind a handler that returns, before any report.
;
; Source: abort(3), assert(3); the Linux Standard Base for __assert_fail's arguments.

%irsan.action = type [152 x i8] ; = libc.sizeof struct sigaction
%irsan.set = type [16 x i64]

define void @irsan_abort_now() noreturn noinline {
  %set = alloca %irsan.set, align 16
  %default = alloca %irsan.action, align 16
  call void @llvm.memset.p0.i64(ptr %set, i8 0, i64 128, i1 false)
  call void @llvm.memset.p0.i64(ptr %default, i8 0,
      i64 ptrtoint (ptr @"libc.sizeof struct sigaction" to i64), i1 false)
  store i64 ptrtoint (ptr @constants.ABORT_BIT to i64), ptr %set
  %unblocked = call i32 @irsan_pthread_sigmask(i32 ptrtoint (ptr @libc.SIG_UNBLOCK to i32),
      ptr %set, ptr null)
  %raised = call i32 @__irsan_real_raise(i32 ptrtoint (ptr @libc.SIGABRT to i32))
  %forgotten = call i32 @irsan_set_action(i32 ptrtoint (ptr @libc.SIGABRT to i32), ptr %default,
      ptr null)
  %again = call i32 @irsan_pthread_sigmask(i32 ptrtoint (ptr @libc.SIG_UNBLOCK to i32), ptr %set,
      ptr null)
  %last = call i32 @__irsan_real_raise(i32 ptrtoint (ptr @libc.SIGABRT to i32))
  call void @__irsan_real_abort()
  unreachable
}

define void @__interceptor_abort() noreturn noinline {
  %caller = call ptr @llvm.returnaddress(i32 0)
  call void @__interceptor_irsan_abort_called(ptr %caller)
  call void @irsan_abort_now()
  unreachable
}

define void @__interceptor___assert_fail(ptr %a0, ptr %a1, i32 %a2, ptr %a3) noreturn {
  call void @__interceptor_irsan_assertion_failed(ptr %a0, ptr %a1, i32 %a2, ptr %a3)
  call void @irsan_abort_now()
  unreachable
}

define void @__interceptor___assert_perror_fail(i32 %a0, ptr %a1, i32 %a2, ptr %a3) noreturn {
  call void @__interceptor_irsan_errno_assertion_failed(i32 %a0, ptr %a1, i32 %a2, ptr %a3)
  call void @irsan_abort_now()
  unreachable
}

define void @__interceptor___assert(ptr %a0, ptr %a1, i32 %a2) noreturn {
  call void @__interceptor_irsan_plain_assertion_failed(ptr %a0, ptr %a1, i32 %a2)
  call void @irsan_abort_now()
  unreachable
}

define void @__interceptor__ZSt21__glibcxx_assert_failPKciS0_S0_(ptr %a0, i32 %a1, ptr %a2, ptr %a3)
    noreturn {
  call void @__interceptor_irsan_library_assertion_failed(ptr %a0, i32 %a1, ptr %a2, ptr %a3)
  call void @irsan_abort_now()
  unreachable
}

; std::__1::__libcpp_verbose_abort(format, ...), which libc++ calls for a failed precondition
define void @__interceptor__ZNSt3__122__libcpp_verbose_abortEPKcz(ptr %format, ...) noreturn {
  %list = alloca [24 x i8], align 16
  %text = alloca [2048 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  %end = getelementptr [2048 x i8], ptr null, i64 1
  %size = ptrtoint ptr %end to i64
  %length = call i64 @__irsan_real_vsnprintf(ptr %text, i64 %size, ptr %format, ptr %list)
  call void @llvm.va_end.p0(ptr %list)
  call void @__interceptor_irsan_precondition_failed(ptr %text)
  call void @irsan_abort_now()
  unreachable
}

@constants.ABORT_BIT = external global i8
@libc.SIGABRT = external global i8
@libc.SIG_UNBLOCK = external global i8
@"libc.sizeof struct sigaction" = external global i8

declare void @__interceptor_irsan_abort_called(ptr)
declare void @__interceptor_irsan_assertion_failed(ptr, ptr, i32, ptr)
declare void @__interceptor_irsan_errno_assertion_failed(i32, ptr, i32, ptr)
declare void @__interceptor_irsan_library_assertion_failed(ptr, i32, ptr, ptr)
declare void @__interceptor_irsan_plain_assertion_failed(ptr, ptr, i32)
declare void @__interceptor_irsan_precondition_failed(ptr)
declare void @__irsan_real_abort() noreturn
declare i32 @__irsan_real_raise(i32)
declare i64 @__irsan_real_vsnprintf(ptr, i64, ptr, ptr)
declare i32 @irsan_pthread_sigmask(i32, ptr, ptr)
declare i32 @irsan_set_action(i32, ptr, ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare ptr @llvm.returnaddress(i32)
declare void @llvm.va_end.p0(ptr)
declare void @llvm.va_start.p0(ptr)
