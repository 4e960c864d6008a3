; Leaving the guest, and acting on what kernels ask for.
;
;   __irsan_to_host        leave the guest; the host answers in ctx.event.result; errno stays
;   __irsan_resume         the host's way into the guest, by a saved stack pointer; it comes back
;                          with CRASH at once when a signal has come that ends the program
;   __irsan_act            0 return the kernel's value, 1 call it again, 2 return the host's value
;   __irsan_act_if_asked   the same for who has no value to return
;   __irsan_leave_errno    errno is what the host's routine has given, if it has
;
; What each action means: runtime/kernels/actions.py.

define void @__irsan_to_host() noinline {
  %errno.addr = load i64, ptr @ctx.c_library.errno_addr
  %errno = inttoptr i64 %errno.addr to ptr
  %known = icmp ne ptr %errno, null
  br i1 %known, label %save, label %go
save:
  %saved = load i32, ptr %errno
  br label %go
go:
  %kept = phi i32 [ 0, %0 ], [ %saved, %save ]
  %thread = load i64, ptr @ctx.thread
  %slot.addr = add i64 %thread, ptrtoint (ptr @thread.sp to i64)
  %slot = inttoptr i64 %slot.addr to ptr
  %sp = load i64, ptr @ctx.host.sp
  store i64 0, ptr @ctx.host.in_guest
  call void @irsan_switch(ptr %slot, i64 %sp)
  br i1 %known, label %restore, label %done
restore:
  store i32 %kept, ptr %errno
  br label %done
done:
  ret void
}

define void @__irsan_resume(i64 %sp) noinline {
  store volatile i64 1, ptr @ctx.host.in_guest
  %sent = load volatile i64, ptr @ctx.host.sent_signal
  %is.ended = icmp ne i64 %sent, 0
  br i1 %is.ended, label %ended, label %enter
enter:
  call void @irsan_switch(ptr @ctx.host.sp, i64 %sp)
  store i64 0, ptr @ctx.host.in_guest
  ret void
ended:
  store volatile i64 0, ptr @ctx.host.in_guest
  call void @llvm.memset.p0.i64(ptr @ctx.crash.SIGNAL, i8 0,
      i64 ptrtoint (ptr @constants.CRASH_BYTES to i64), i1 false)
  store i64 %sent, ptr @ctx.crash.SIGNAL
  %code = load i64, ptr @ctx.host.sent_code
  store i64 %code, ptr @ctx.crash.CODE
  %by = load i64, ptr @ctx.host.sent_by
  store i64 %by, ptr @ctx.crash.ADDRESS
  store i64 0, ptr @ctx.host.sent_signal
  store i64 ptrtoint (ptr @events.CRASH to i64), ptr @ctx.event.number
  ret void
}

define i32 @__irsan_act() noinline cold {
  %action = load i32, ptr @ctx.action
  store i32 0, ptr @ctx.action
  switch i32 %action, label %none [
    i32 1, label %report  ; = actions.REPORT
    i32 2, label %retry  ; = actions.RETRY
    i32 3, label %yield  ; = actions.YIELD
    i32 4, label %host  ; = actions.HOST
    i32 5, label %cancel  ; = actions.CANCEL
    i32 6, label %observe  ; = actions.OBSERVE
    i32 7, label %announce  ; = actions.ANNOUNCE
  ]
none:
  ret i32 0
report:
  store i64 ptrtoint (ptr @events.REPORT to i64), ptr @ctx.event.number
  store i64 0, ptr @ctx.event.result
  call void @__irsan_to_host()
  %answer.to.report = load i64, ptr @ctx.event.result
  %handled.bit = and i64 %answer.to.report, ptrtoint (ptr @events.HANDLE_SIGNALS to i64)
  %unhandled = icmp eq i64 %handled.bit, 0
  br i1 %unhandled, label %told, label %handle
handle:
  store i32 0, ptr @ctx.routine
  call void @irsan_deliver_signals()
  br label %told
told:
  %once.more = trunc i64 %answer.to.report to i32
  %again.bit = and i32 %once.more, ptrtoint (ptr @events.ONCE_MORE to i32)
  ret i32 %again.bit
retry:
  store i32 0, ptr @ctx.routine
  call void @__irsan_reschedule()
  ret i32 1
yield:
  store i32 0, ptr @ctx.routine
  call void @__irsan_reschedule()
  ret i32 0
host:
  call void @__irsan_to_host()
  ret i32 2
observe:
  call void @__irsan_to_host()
  ret i32 0
announce:
  call void @__irsan_to_host()
  %answer = load i64, ptr @ctx.event.result
  %go.on = trunc i64 %answer to i32
  ret i32 %go.on
cancel:
  store i32 0, ptr @ctx.routine
  call void @__interceptor_pthread_exit(ptr inttoptr (i64 -1 to ptr))
  unreachable
}

define void @__irsan_act_if_asked() alwaysinline {
  %action = load i32, ptr @ctx.action
  %quiet = icmp eq i32 %action, 0
  br i1 %quiet, label %done, label %acting, !prof !0
acting:
  %again = call i32 @__irsan_act()
  br label %done
done:
  ret void
}

define void @__irsan_leave_errno() noinline {
  %given = load i64, ptr @ctx.event.args.ERRNO_WORD
  %is.given = icmp ne i64 %given, 0
  br i1 %is.given, label %give, label %done
give:
  %number = trunc i64 %given to i32
  %place = load ptr, ptr @ctx.c_library.errno_addr
  store i32 %number, ptr %place
  store i64 0, ptr @ctx.event.args.ERRNO_WORD
  br label %done
done:
  ret void
}

@ctx.action = external global i8
@ctx.c_library.errno_addr = external global i8
@constants.CRASH_BYTES = external global i8
@ctx.crash.ADDRESS = external global i8
@ctx.crash.CODE = external global i8
@ctx.crash.SIGNAL = external global i8
@ctx.event.number = external global i8
@ctx.event.args.ERRNO_WORD = external global i8
@ctx.event.result = external global i8
@ctx.host.in_guest = external global i8
@ctx.host.sent_by = external global i8
@ctx.host.sent_code = external global i8
@ctx.host.sent_signal = external global i8
@ctx.host.sp = external global i8
@ctx.routine = external global i8
@ctx.thread = external global i8
@events.CRASH = external global i8
@events.HANDLE_SIGNALS = external global i8
@events.ONCE_MORE = external global i8
@events.REPORT = external global i8
@thread.sp = external global i8

declare void @__interceptor_pthread_exit(ptr) noreturn
declare void @__irsan_reschedule()
declare void @irsan_deliver_signals()
declare void @irsan_switch(ptr, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

!0 = !{!"branch_weights", i32 100000, i32 1}
