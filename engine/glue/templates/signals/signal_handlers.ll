; When the guest's handlers of signals run.
;
;   a signal that the running thread sends itself, or a fault of its own code     at once
;   a signal for another thread (signal_sending.ll), a timer of the program   when that runs
;   any other (another process)                   noted; the handler runs at the next safepoint
;
; The first kind always finds the guest between two instructions of its own or inside a call of the
; C library; the second could hit the runtime's own kernels, whose data must not be seen half
; changed.
;
;   irsan_on_signal         the kernel's handler for every signal that the guest handles; while it
;                           runs the kernel blocks the signal, for this thread only: masks count
;   irsan_call_handler      the guest's handler, in the form its flags ask for; forgotten first if
;                           they say so.  state: runtime/records/threads/signal_records.py; mask:
;                           signals to block meanwhile beside the action's own, 0 when the kernel
;                           blocks them
;   irsan_deliver_if_due    behind every question to the scheduler, and behind a changed mask
;   irsan_deliver_signals   handlers that are due, on the running thread's stack, lowest number
;                           first.  The thread may be about to look at how a wait ended: its
;                           handlers see none, then those words are put back
;   irsan_take_info         siginfo_t of a signal: its own in the queue, or what was noted for its
;                           number (a signal from outside, pthread_kill)
;
; What a handler may do, and what happens before it: runtime/kernels/threads/handlers.py.
;
; Source: sigaction(2), signal(7); glibc's x86-64 `struct sigaction` and `siginfo_t`. Deviations: a
; noted signal gives its handler the context in which that is called, inside irsan's runtime, and
; what the handler changes in it counts for nothing; a native call that it interrupts returns before
; the handler runs.

%irsan.info = type [128 x i8] ; = libc.sizeof siginfo_t
%irsan.action = type [152 x i8] ; = libc.sizeof struct sigaction
%irsan.context = type [968 x i8] ; = libc.sizeof ucontext_t

@irsan_signal_info = global [65 x %irsan.info] zeroinitializer, align 16

define void @irsan_on_signal(i32 %number, ptr %info, ptr %context) noinline {
  %is.gap = call i1 @irsan_fill_gap(i32 %number, ptr %info, ptr %context)
  br i1 %is.gap, label %filled, label %arrived
filled:
  ret void
arrived:
  %inside = load volatile i64, ptr @ctx.host.in_guest
  %in.guest = icmp ne i64 %inside, 0
  %wide = zext i32 %number to i64
  %code.place = getelementptr i8, ptr %info, i64 ptrtoint (ptr @libc.siginfo_t.si_code to i64)
  %code = load i32, ptr %code.place
  switch i32 %code, label %raised [
    i32 0, label %sent  ; = libc.SI_USER
    i32 -1, label %sent  ; = libc.SI_QUEUE
    i32 -6, label %sent  ; = libc.SI_TKILL
    i32 -2, label %timed  ; = libc.SI_TIMER
  ]
timed:
  br i1 %in.guest, label %tell, label %later
tell:
  %info.word = ptrtoint ptr %info to i64
  call void @k.tell_overrun(i64 %info.word)
  br label %now
sent:
  %pid.place = getelementptr i8, ptr %info, i64 ptrtoint (ptr @libc.siginfo_t.si_pid to i64)
  %pid = load i32, ptr %pid.place
  %own.pid = call i32 @__irsan_real_getpid()
  %own = icmp eq i32 %pid, %own.pid
  %at.once = and i1 %own, %in.guest
  br i1 %at.once, label %now, label %later
raised:
  %positive = icmp sgt i32 %code, 0
  %below = and i64 %wide, 63
  %shifted = lshr i64 ptrtoint (ptr @constants.FAULT_BITS to i64), %below
  %bit = and i64 %shifted, 1
  %may.fault = icmp ne i64 %bit, 0
  %fault = and i1 %positive, %may.fault
  br i1 %fault, label %faulted, label %later
faulted:
  br i1 %in.guest, label %now, label %broken
broken:
  %default = alloca %irsan.action, align 16
  call void @llvm.memset.p0.i64(ptr %default, i8 0,
      i64 ptrtoint (ptr @"libc.sizeof struct sigaction" to i64), i1 false)
  %ignored = call i32 @__irsan_real_sigaction(i32 %number, ptr %default, ptr null)
  ret void
now:
  store i64 1, ptr @ctx.signals.masks_used
  %site = load i32, ptr @ctx.site
  %routine = load i32, ptr @ctx.routine
  %action = load i32, ptr @ctx.action
  store i32 0, ptr @ctx.routine
  store i32 0, ptr @ctx.action
  call void @irsan_call_handler(i32 %number, ptr %info, ptr %context, i64 %wide, i64 0)
  store i32 %site, ptr @ctx.site
  store i32 %routine, ptr @ctx.routine
  store i32 %action, ptr @ctx.action
  %mask.place = getelementptr i8, ptr %context,
      i64 ptrtoint (ptr @libc.ucontext_t.uc_sigmask to i64)
  %native = load i64, ptr %mask.place
  %blocked = call i64 @irsan_blocked_segv()
  %mask.after = or i64 %native, %blocked
  %thread = load i64, ptr @ctx.thread
  %sigmask.addr = add i64 %thread, ptrtoint (ptr @thread.sigmask to i64)
  %sigmask.place = inttoptr i64 %sigmask.addr to ptr
  store i64 %mask.after, ptr %sigmask.place
  ret void
later:
  %kept = getelementptr [65 x %irsan.info], ptr @irsan_signal_info, i64 0, i64 %wide
  call void @llvm.memcpy.p0.p0.i64(ptr %kept, ptr %info,
      i64 ptrtoint (ptr @"libc.sizeof siginfo_t" to i64), i1 false)
  %bit.number = sub i64 %wide, 1
  %noted = shl i64 1, %bit.number
  %ignored.old = atomicrmw or ptr @ctx.signals.noted, i64 %noted monotonic
  store i64 0, ptr @ctx.fuel
  ret void
}

define void @irsan_call_handler(i32 %number, ptr %info, ptr %context, i64 %state, i64 %mask) {
  %area = alloca [6 x i64], align 16
  %kept = call ptr @irsan_guest_action(i32 %number)
  %handler = load ptr, ptr %kept
  %address = ptrtoint ptr %handler to i64
  %callable = icmp ugt i64 %address, 1
  br i1 %callable, label %check, label %builtin
builtin:
  %raised = call i32 @__irsan_real_raise(i32 %number)
  ret void
check:
  %handled = load i64, ptr @ctx.signals.n_handled
  %one.more = add i64 %handled, 1
  store i64 %one.more, ptr @ctx.signals.n_handled
  %flags.place = getelementptr i8, ptr %kept,
      i64 ptrtoint (ptr @"libc.struct sigaction.sa_flags" to i64)
  %flags = load i32, ptr %flags.place
  %defer.bit = and i32 %flags, ptrtoint (ptr @libc.SA_NODEFER to i32)
  %deferred = icmp eq i32 %defer.bit, 0
  %own.mask = select i1 %deferred, i64 %mask, i64 0
  %more.place = getelementptr i8, ptr %kept,
      i64 ptrtoint (ptr @"libc.struct sigaction.sa_mask" to i64)
  %more = load i64, ptr %more.place
  %late = icmp ne i64 %mask, 0
  %more.mask = select i1 %late, i64 %more, i64 0
  %blocked = or i64 %own.mask, %more.mask
  %area.word = ptrtoint ptr %area to i64
  %kept.word = ptrtoint ptr %kept to i64
  call void @k.begin_handler(i64 %area.word, i64 %kept.word, i64 %state, i64 %blocked)
  %once.bit = and i32 %flags, ptrtoint (ptr @libc.SA_RESETHAND to i32)
  %once = icmp ne i32 %once.bit, 0
  br i1 %once, label %forget, label %choose
forget:
  %default = alloca %irsan.action, align 16
  call void @llvm.memset.p0.i64(ptr %default, i8 0,
      i64 ptrtoint (ptr @"libc.sizeof struct sigaction" to i64), i1 false)
  %ignored = call i32 @irsan_set_action(i32 %number, ptr %default, ptr null)
  br label %choose
choose:
  %info.bit = and i32 %flags, ptrtoint (ptr @libc.SA_SIGINFO to i32)
  %with.info = icmp ne i32 %info.bit, 0
  br i1 %with.info, label %long, label %short
long:
  call void %handler(i32 %number, ptr %info, ptr %context)
  br label %over
short:
  call void %handler(i32 %number)
  br label %over
over:
  call void @k.end_handler(i64 %area.word, i64 %address, i64 %state)
  call void @__irsan_act_if_asked()
  ret void
}

define void @irsan_take_info(ptr %target, i64 %wide) noinline cold {
  %target.word = ptrtoint ptr %target to i64
  %flag = call i8 @k.take_queued(i64 %wide, i64 %target.word)
  %queued = icmp ne i8 %flag, 0
  br i1 %queued, label %tell, label %kept
kept:
  %info = getelementptr [65 x %irsan.info], ptr @irsan_signal_info, i64 0, i64 %wide
  call void @llvm.memcpy.p0.p0.i64(ptr %target, ptr %info,
      i64 ptrtoint (ptr @"libc.sizeof siginfo_t" to i64), i1 false)
  %number = trunc i64 %wide to i32
  store i32 %number, ptr %target
  call void @llvm.memset.p0.i64(ptr %info, i8 0,
      i64 ptrtoint (ptr @"libc.sizeof siginfo_t" to i64), i1 false)
  br label %tell
tell:
  call void @k.tell_overrun(i64 %target.word)
  ret void
}

define void @irsan_deliver_if_due() alwaysinline {
  %thread = load i64, ptr @ctx.thread
  %own.addr = add i64 %thread, ptrtoint (ptr @thread.signals to i64)
  %own.place = inttoptr i64 %own.addr to ptr
  %own = load i64, ptr %own.place
  %noted = load i64, ptr @ctx.signals.noted
  %any = or i64 %own, %noted
  %none = icmp eq i64 %any, 0
  br i1 %none, label %done, label %deliver, !prof !0
deliver:
  call void @irsan_deliver_signals()
  br label %done
done:
  ret void
}

define void @irsan_deliver_signals() noinline cold {
  %thread = load i64, ptr @ctx.thread
  %site = load i32, ptr @ctx.site
  %resuming.addr = add i64 %thread, ptrtoint (ptr @thread.wait.resuming to i64)
  %resuming.place = inttoptr i64 %resuming.addr to ptr
  %resuming = load i64, ptr %resuming.place
  %retry_word.addr = add i64 %thread, ptrtoint (ptr @thread.wait.retry_word to i64)
  %retry_word.place = inttoptr i64 %retry_word.addr to ptr
  %retry_word = load i64, ptr %retry_word.place
  %retry_count.addr = add i64 %thread, ptrtoint (ptr @thread.wait.retry_count to i64)
  %retry_count.place = inttoptr i64 %retry_count.addr to ptr
  %retry_count = load i64, ptr %retry_count.place
  %wait_status.addr = add i64 %thread, ptrtoint (ptr @thread.wait.status to i64)
  %wait_status.place = inttoptr i64 %wait_status.addr to ptr
  %wait_status = load i64, ptr %wait_status.place
  store i64 0, ptr %resuming.place
  call void @irsan_refresh_mask()
  %info = alloca %irsan.info, align 16
  %context = alloca %irsan.context, align 16
  call void @llvm.memset.p0.i64(ptr %context, i8 0,
      i64 ptrtoint (ptr @"libc.sizeof ucontext_t" to i64), i1 false)
  %got = call i32 @__irsan_real_getcontext(ptr %context)
  br label %next
next:
  %wide = call i64 @k.take_due_signal()
  %none = icmp eq i64 %wide, 0
  br i1 %none, label %done, label %call
call:
  %number = trunc i64 %wide to i32
  call void @irsan_take_info(ptr %info, i64 %wide)
  %state = call i64 @k.late_state(i64 %wide)
  %bit.number = sub i64 %wide, 1
  %mask = shl i64 1, %bit.number
  call void @irsan_call_handler(i32 %number, ptr %info, ptr %context, i64 %state, i64 %mask)
  br label %next
done:
  store i32 %site, ptr @ctx.site
  store i64 %resuming, ptr %resuming.place
  store i64 %retry_word, ptr %retry_word.place
  store i64 %retry_count, ptr %retry_count.place
  store i64 %wait_status, ptr %wait_status.place
  ret void
}

@constants.FAULT_BITS = external global i8
@ctx.action = external global i8
@ctx.fuel = external global i8
@ctx.host.in_guest = external global i8
@ctx.routine = external global i8
@ctx.signals.masks_used = external global i8
@ctx.signals.noted = external global i8
@ctx.signals.n_handled = external global i8
@ctx.site = external global i8
@ctx.thread = external global i8
@libc.SA_NODEFER = external global i8
@libc.SA_RESETHAND = external global i8
@libc.SA_SIGINFO = external global i8
@libc.siginfo_t.si_code = external global i8
@libc.siginfo_t.si_pid = external global i8
@"libc.sizeof siginfo_t" = external global i8
@"libc.sizeof struct sigaction" = external global i8
@"libc.sizeof ucontext_t" = external global i8
@"libc.struct sigaction.sa_flags" = external global i8
@"libc.struct sigaction.sa_mask" = external global i8
@libc.ucontext_t.uc_sigmask = external global i8
@thread.wait.resuming = external global i8
@thread.wait.retry_count = external global i8
@thread.wait.retry_word = external global i8
@thread.sigmask = external global i8
@thread.signals = external global i8
@thread.wait.status = external global i8

declare void @k.begin_handler(i64, i64, i64, i64)
declare void @k.end_handler(i64, i64, i64)
declare i64 @k.late_state(i64)
declare i64 @k.take_due_signal()
declare i8 @k.take_queued(i64, i64)
declare void @k.tell_overrun(i64)
declare void @__irsan_act_if_asked()
declare i32 @__irsan_real_getcontext(ptr)
declare i32 @__irsan_real_getpid()
declare i32 @__irsan_real_raise(i32)
declare i32 @__irsan_real_sigaction(i32, ptr, ptr)
declare i1 @irsan_fill_gap(i32, ptr, ptr)
declare ptr @irsan_guest_action(i32)
declare i64 @irsan_blocked_segv()
declare void @irsan_refresh_mask()
declare i32 @irsan_set_action(i32, ptr, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

!0 = !{!"branch_weights", i32 100000, i32 1}
