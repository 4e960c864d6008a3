; Sending signals: pthread_kill, pthread_sigqueue, tgkill, raise, and kill and sigqueue to the own
; process.
;
;   to a thread      runs its handler when it is scheduled next; the running one at once
;   to a number      of gettid, by tgkill or syscall: to that thread of this process
;   to the process   to the main thread, or the first that does not block it; the host's own
;                    function does it when that is the running thread, when none takes it, when no
;                    handler is installed, and for other processes
;
; irsan_to_process is 0 when another thread gets the signal.
;
; Source: pthread_kill(3), kill(2), sigqueue(3), signal(7). Deviations: what killpg and kill(0)
; send to the own process runs in the thread that calls.

%irsan.info = type [128 x i8] ; = libc.sizeof siginfo_t

; An error number, 0 when it is sent, -1 when the host's function is to raise it on the spot, or -2
; when the kernel is to keep it.
define i32 @irsan_to_thread(i64 %thread, i32 %number) {
  %valid = icmp ult i32 %number, 65
  br i1 %valid, label %known, label %ask
known:
  %kept = call ptr @irsan_guest_action(i32 %number)
  %handler = load i64, ptr %kept
  %callable = icmp ugt i64 %handler, 1
  br label %ask
ask:
  %handled = phi i1 [ false, %0 ], [ %callable, %known ]
  %flag = zext i1 %handled to i8
  %status = call i32 @k.signal_thread(i64 %thread, i32 %number, i8 %flag)
  ret i32 %status
}

define i32 @__interceptor_pthread_kill(i64 %thread, i32 %number) {
  %status = call i32 @irsan_to_thread(i64 %thread, i32 %number)
  %here = icmp eq i32 %status, -1
  br i1 %here, label %raise, label %sent
raise:
  %raised = call i32 @__irsan_real_raise(i32 %number)
  %good = icmp eq i32 %raised, 0
  %answer = select i1 %good, i32 0, i32 ptrtoint (ptr @libc.EINVAL to i32)
  ret i32 %answer
sent:
  %wide = zext i32 %number to i64
  %real = icmp ne i32 %number, 0
  %failed = icmp sgt i32 %status, 0
  %done = xor i1 %failed, true
  %tell = and i1 %real, %done
  br i1 %tell, label %fill, label %end
fill:
  %info = getelementptr [65 x %irsan.info], ptr @irsan_signal_info, i64 0, i64 %wide
  %info.word = ptrtoint ptr %info to i64
  call void @k.fill_thread_signal(i64 %info.word, i32 %number)
  %keeps = icmp eq i32 %status, -2
  br i1 %keeps, label %keep, label %own
keep:
  %kept = call i64 @k.leave_in_kernel(i64 %wide, i64 %info.word)
  ret i32 0
own:
  %queues = icmp uge i32 %number, ptrtoint (ptr @signal_records.FIRST_REAL_TIME to i32)
  br i1 %queues, label %queue, label %end
queue:
  %queued = call i8 @k.queue_signal(i64 %thread, i64 %wide, i64 %info.word)
  br label %end
end:
  call void @__irsan_act_if_asked()
  ret i32 %status
}

define i32 @__interceptor_pthread_sigqueue(i64 %thread, i32 %number, ptr %value) {
  %info = alloca %irsan.info, align 16
  call void @irsan_fill_queued(ptr %info, i32 %number,
      i32 ptrtoint (ptr @libc.SI_QUEUE to i32), ptr %value)
  %info.word = ptrtoint ptr %info to i64
  %wide = zext i32 %number to i64
  %status = call i32 @irsan_to_thread(i64 %thread, i32 %number)
  %here = icmp eq i32 %status, -1
  br i1 %here, label %raise, label %sent
raise:
  %pid = call i32 @__irsan_real_getpid()
  %pid.word = sext i32 %pid to i64
  %id = call i64 @__irsan_real_syscall(i64 ptrtoint (ptr @libc.SYS_gettid to i64), i64 0, i64 0,
      i64 0, i64 0, i64 0, i64 0)
  %raised = call i64 @__irsan_real_syscall(
      i64 ptrtoint (ptr @libc.SYS_rt_tgsigqueueinfo to i64), i64 %pid.word, i64 %id, i64 %wide,
      i64 %info.word, i64 0, i64 0)
  %good = icmp eq i64 %raised, 0
  %answer = select i1 %good, i32 0, i32 ptrtoint (ptr @libc.EINVAL to i32)
  ret i32 %answer
sent:
  %keeps = icmp eq i32 %status, -2
  br i1 %keeps, label %keep, label %own
keep:
  %kept = call i64 @k.leave_in_kernel(i64 %wide, i64 %info.word)
  ret i32 0
own:
  %real = icmp ne i32 %number, 0
  %done = icmp eq i32 %status, 0
  %queues = and i1 %real, %done
  br i1 %queues, label %queue, label %end
queue:
  %queued = call i8 @k.queue_signal(i64 %thread, i64 %wide, i64 %info.word)
  br label %end
end:
  call void @__irsan_act_if_asked()
  ret i32 %status
}

define i64 @irsan_to_found(i64 %thread, i32 %number) {
  %status = call i32 @__interceptor_pthread_kill(i64 %thread, i32 %number)
  %good = icmp eq i32 %status, 0
  br i1 %good, label %done, label %fail
fail:
  call void @k.set_errno(i32 %status)
  ret i64 -1
done:
  ret i64 0
}

define i32 @__interceptor_raise(i32 %number) {
  %self = call i64 @__interceptor_pthread_self()
  %sent = call i64 @irsan_to_found(i64 %self, i32 %number)
  %result = trunc i64 %sent to i32
  ret i32 %result
}

define i64 @irsan_syscall(i64 %n, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f) {
entry:
  %first = trunc i64 %a to i32
  %second = trunc i64 %b to i32
  %is.tkill = icmp eq i64 %n, ptrtoint (ptr @libc.SYS_tkill to i64)
  br i1 %is.tkill, label %tkill, label %other
other:
  %is.tgkill = icmp eq i64 %n, ptrtoint (ptr @libc.SYS_tgkill to i64)
  br i1 %is.tgkill, label %tgkill, label %host
tkill:
  %any = call i64 @k.thread_with_id(i32 0, i32 %first)
  br label %look
tgkill:
  %valid = icmp sgt i32 %first, 0
  br i1 %valid, label %group, label %host
group:
  %one = call i64 @k.thread_with_id(i32 %first, i32 %second)
  br label %look
look:
  %thread = phi i64 [ %any, %tkill ], [ %one, %group ]
  %number.wide = phi i64 [ %b, %tkill ], [ %c, %group ]
  %ours = icmp ne i64 %thread, 0
  br i1 %ours, label %send, label %host
send:
  %number = trunc i64 %number.wide to i32
  %sent = call i64 @irsan_to_found(i64 %thread, i32 %number)
  ret i64 %sent
host:
  %result = call i64 @__irsan_real_syscall(i64 %n, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e,
      i64 %f)
  ret i64 %result
}

define i32 @__interceptor_tgkill(i32 %pid, i32 %id, i32 %number) {
  %wide.pid = sext i32 %pid to i64
  %wide.id = sext i32 %id to i64
  %wide = sext i32 %number to i64
  %result = call i64 @irsan_syscall(i64 ptrtoint (ptr @libc.SYS_tgkill to i64), i64 %wide.pid,
      i64 %wide.id, i64 %wide, i64 0, i64 0, i64 0)
  %short = trunc i64 %result to i32
  ret i32 %short
}

define void @irsan_fill_queued(ptr %info, i32 %number, i32 %code, ptr %value) {
  call void @llvm.memset.p0.i64(ptr %info, i8 0,
      i64 ptrtoint (ptr @"libc.sizeof siginfo_t" to i64), i1 false)
  store i32 %number, ptr %info
  %code.place = getelementptr i8, ptr %info, i64 ptrtoint (ptr @libc.siginfo_t.si_code to i64)
  store i32 %code, ptr %code.place
  %pid = call i32 @__irsan_real_getpid()
  %pid.place = getelementptr i8, ptr %info, i64 ptrtoint (ptr @libc.siginfo_t.si_pid to i64)
  store i32 %pid, ptr %pid.place
  %uid = call i32 @__irsan_real_getuid()
  %uid.place = getelementptr i8, ptr %info, i64 ptrtoint (ptr @libc.siginfo_t.si_uid to i64)
  store i32 %uid, ptr %uid.place
  %value.place = getelementptr i8, ptr %info, i64 ptrtoint (ptr @libc.siginfo_t.si_value to i64)
  store ptr %value, ptr %value.place
  ret void
}

define i32 @irsan_to_process(i32 %pid, i32 %number, i32 %code, ptr %value) {
  %info = alloca %irsan.info, align 16
  %own.pid = call i32 @__irsan_real_getpid()
  %own = icmp eq i32 %pid, %own.pid
  %lowered = sub i32 %number, 1
  %valid = icmp ult i32 %lowered, 64
  %known = and i1 %own, %valid
  br i1 %known, label %look, label %host
look:
  %kept = call ptr @irsan_guest_action(i32 %number)
  %handler = load i64, ptr %kept
  %callable = icmp ugt i64 %handler, 1
  br i1 %callable, label %fill, label %host
fill:
  call void @irsan_fill_queued(ptr %info, i32 %number, i32 %code, ptr %value)
  %wide = zext i32 %number to i64
  %info.word = ptrtoint ptr %info to i64
  call void @irsan_refresh_mask()
  %status = call i32 @k.signal_process(i64 %wide, i64 %info.word)
  call void @__irsan_act_if_asked()
  ret i32 %status
host:
  ret i32 -1
}

define i32 @__interceptor_kill(i32 %pid, i32 %number) {
  %status = call i32 @irsan_to_process(i32 %pid, i32 %number,
      i32 ptrtoint (ptr @libc.SI_USER to i32), ptr null)
  %sent = icmp eq i32 %status, 0
  br i1 %sent, label %done, label %host
done:
  ret i32 0
host:
  %result = call i32 @__irsan_real_kill(i32 %pid, i32 %number)
  ret i32 %result
}

define i32 @__interceptor_sigqueue(i32 %pid, i32 %number, ptr %value) {
  %status = call i32 @irsan_to_process(i32 %pid, i32 %number,
      i32 ptrtoint (ptr @libc.SI_QUEUE to i32), ptr %value)
  %sent = icmp eq i32 %status, 0
  br i1 %sent, label %done, label %host
done:
  ret i32 0
host:
  %result = call i32 @__irsan_real_sigqueue(i32 %pid, i32 %number, ptr %value)
  ret i32 %result
}

@libc.EINVAL = external global i8
@libc.SI_QUEUE = external global i8
@libc.SI_USER = external global i8
@libc.SYS_gettid = external global i8
@libc.SYS_rt_tgsigqueueinfo = external global i8
@libc.SYS_tgkill = external global i8
@libc.SYS_tkill = external global i8
@libc.siginfo_t.si_code = external global i8
@libc.siginfo_t.si_pid = external global i8
@libc.siginfo_t.si_uid = external global i8
@libc.siginfo_t.si_value = external global i8
@"libc.sizeof siginfo_t" = external global i8
@signal_records.FIRST_REAL_TIME = external global i8
@irsan_signal_info = external global [65 x %irsan.info]

declare void @k.fill_thread_signal(i64, i32)
declare i64 @k.leave_in_kernel(i64, i64)
declare i8 @k.queue_signal(i64, i64, i64)
declare void @k.set_errno(i32)
declare i32 @k.signal_process(i64, i64)
declare i32 @k.signal_thread(i64, i32, i8)
declare i64 @k.thread_with_id(i32, i32)
declare i64 @__interceptor_pthread_self()
declare void @__irsan_act_if_asked()
declare i32 @__irsan_real_getpid()
declare i32 @__irsan_real_getuid()
declare i32 @__irsan_real_kill(i32, i32)
declare i32 @__irsan_real_raise(i32)
declare i32 @__irsan_real_sigqueue(i32, i32, ptr)
declare i64 @__irsan_real_syscall(i64, i64, i64, i64, i64, i64, i64)
declare ptr @irsan_guest_action(i32)
declare void @irsan_refresh_mask()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
