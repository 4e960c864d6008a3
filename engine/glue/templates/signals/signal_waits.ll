; Waiting for a signal.
;
; A thread that waits lets others run and looks again after a millisecond of virtual time; when
; nobody else can run, the host's own function waits.
;
;   irsan_await_signal(set, info, deadline)    the signal's number, or -1 at the deadline
;   pause, sigsuspend                          end with -1 and EINTR once a handler has run
;
; Source: sigwaitinfo(2), sigsuspend(2), pause(2).

%irsan.info = type [128 x i8] ; = libc.sizeof siginfo_t
%irsan.set = type [16 x i64]

@irsan_no_time = constant [2 x i64] zeroinitializer

define i32 @irsan_await_signal(ptr %set, ptr %info, i64 %deadline) {
entry:
  %spare = alloca %irsan.info, align 16
  %no.info = icmp eq ptr %info, null
  %target = select i1 %no.info, ptr %spare, ptr %info
  br label %look
look:
  %wanted = load i64, ptr %set
  %sent = call i64 @k.take_signal(i64 %wanted)
  %is.sent = icmp ne i64 %sent, 0
  br i1 %is.sent, label %own, label %poll
own:
  call void @irsan_take_info(ptr %target, i64 %sent)
  %number = trunc i64 %sent to i32
  ret i32 %number
poll:
  %found = call i32 @__irsan_real_sigtimedwait(ptr %set, ptr %target, ptr @irsan_no_time)
  %is.found = icmp sgt i32 %found, 0
  br i1 %is.found, label %taken, label %pause
taken:
  %taken.word = ptrtoint ptr %target to i64
  call void @k.tell_overrun(i64 %taken.word)
  ret i32 %found
pause:
  %how = call i8 @k.pause_for_signal(i64 %deadline)
  switch i8 %how, label %late [
    i8 0, label %others
    i8 1, label %alone
  ]
others:
  %again = call i32 @__irsan_act()
  br label %look
alone:
  %waited = call i32 @__irsan_real_sigtimedwait(ptr %set, ptr %target, ptr null)
  call void @irsan_deliver_if_due()
  %is.good = icmp sgt i32 %waited, 0
  br i1 %is.good, label %awaited, label %look
awaited:
  ret i32 %waited
late:
  ret i32 -1
}

define i32 @__interceptor_sigwait(ptr %set, ptr %target) {
  %number = call i32 @irsan_await_signal(ptr %set, ptr null, i64 0)
  store i32 %number, ptr %target
  ret i32 0
}

define i32 @__interceptor_sigwaitinfo(ptr %set, ptr %info) {
  %number = call i32 @irsan_await_signal(ptr %set, ptr %info, i64 0)
  ret i32 %number
}

define i32 @__interceptor_sigtimedwait(ptr %set, ptr %info, ptr %timeout) {
  %timeout.word = ptrtoint ptr %timeout to i64
  %deadline = call i64 @k.timeout_to_deadline(i64 %timeout.word)
  %number = call i32 @irsan_await_signal(ptr %set, ptr %info, i64 %deadline)
  %late = icmp slt i32 %number, 0
  br i1 %late, label %fail, label %done
fail:
  call void @k.set_errno(i32 ptrtoint (ptr @libc.EAGAIN to i32))
  br label %done
done:
  ret i32 %number
}

define i32 @irsan_pause(ptr %mask, i64 %before) {
entry:
  br label %look
look:
  call void @irsan_deliver_if_due()
  %now = load i64, ptr @ctx.signals.n_handled
  %none = icmp eq i64 %now, %before
  br i1 %none, label %pause, label %done
pause:
  %how = call i8 @k.pause_for_signal(i64 0)
  %alone = icmp eq i8 %how, 1
  br i1 %alone, label %native, label %others
others:
  %again = call i32 @__irsan_act()
  br label %look
native:
  %plain = icmp eq ptr %mask, null
  br i1 %plain, label %sleep, label %suspend
sleep:
  %slept = call i32 @__irsan_real_pause()
  br label %look
suspend:
  %suspended = call i32 @__irsan_real_sigsuspend(ptr %mask)
  br label %look
done:
  call void @k.set_errno(i32 ptrtoint (ptr @libc.EINTR to i32))
  ret i32 -1
}

define i32 @__interceptor_pause() {
  %before = load i64, ptr @ctx.signals.n_handled
  %result = call i32 @irsan_pause(ptr null, i64 %before)
  ret i32 %result
}

define i32 @__interceptor_sigsuspend(ptr %mask) {
  %old = alloca %irsan.set
  %room = alloca %irsan.set
  %before = load i64, ptr @ctx.signals.n_handled
  %open = call ptr @irsan_without_segv(ptr %mask, ptr %room)
  %set = call i32 @__irsan_real_pthread_sigmask(i32 ptrtoint (ptr @libc.SIG_SETMASK to i32),
      ptr %open, ptr %old)
  call void @irsan_note_mask()
  %result = call i32 @irsan_pause(ptr %open, i64 %before)
  %reset = call i32 @__irsan_real_pthread_sigmask(i32 ptrtoint (ptr @libc.SIG_SETMASK to i32),
      ptr %old, ptr null)
  call void @irsan_note_mask()
  ret i32 %result
}

@ctx.signals.n_handled = external global i8
@libc.EAGAIN = external global i8
@libc.EINTR = external global i8
@libc.SIG_SETMASK = external global i8

declare i8 @k.pause_for_signal(i64)
declare void @k.set_errno(i32)
declare i64 @k.take_signal(i64)
declare void @k.tell_overrun(i64)
declare i64 @k.timeout_to_deadline(i64)
declare i32 @__irsan_act()
declare i32 @__irsan_real_pause()
declare i32 @__irsan_real_pthread_sigmask(i32, ptr, ptr)
declare i32 @__irsan_real_sigsuspend(ptr)
declare i32 @__irsan_real_sigtimedwait(ptr, ptr, ptr)
declare void @irsan_deliver_if_due()
declare void @irsan_note_mask()
declare void @irsan_take_info(ptr, i64)
declare ptr @irsan_without_segv(ptr, ptr)
