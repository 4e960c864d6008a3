; Signals: what the guest asks sigaction and signal for.
;
;   guest's action   kept in @irsan_guest_actions; what the kernel gets instead:
;     a handler      irsan_on_signal, with the guest's mask (but for SIGSEGV, see signal_masks.ll)
;                    and flags (but SA_RESETHAND is ours)
;     SIG_DFL        irsan_on_crash where the default ends the process, so that reports are written
;     SIG_IGN        the same
;   none of it is heeded for a signal that irsan handles exclusively (handle_segv=2 and similar)
;
; signal and similar functions are sigaction with the flags of each, SIG_ERR for a bad number.
; After siginterrupt what they set does not restart calls.
;
; When handlers run: signal_handlers.ll.  Source: sigaction(2), signal(2), siginterrupt(3).

%irsan.action = type [152 x i8] ; = libc.sizeof struct sigaction

@irsan_guest_actions = global [65 x %irsan.action] zeroinitializer, align 16

@irsan_interrupting = global i64 0

define ptr @irsan_guest_action(i32 %number) alwaysinline {
  %wide = zext i32 %number to i64
  %place = getelementptr [65 x %irsan.action], ptr @irsan_guest_actions, i64 0, i64 %wide
  ret ptr %place
}

define void @irsan_keep_action(i32 %number, ptr %kept, ptr %new) {
  call void @llvm.memmove.p0.p0.i64(ptr %kept, ptr %new,
      i64 ptrtoint (ptr @"libc.sizeof struct sigaction" to i64), i1 false)
  %kept.word = ptrtoint ptr %kept to i64
  %wide = zext i32 %number to i64
  %flags.place = getelementptr i8, ptr %kept,
      i64 ptrtoint (ptr @"libc.struct sigaction.sa_flags" to i64)
  %flags = load i32, ptr %flags.place
  %restart.bit = and i32 %flags, ptrtoint (ptr @libc.SA_RESTART to i32)
  %restarts = icmp ne i32 %restart.bit, 0
  %flag = zext i1 %restarts to i8
  call void @k.action_changed(i64 %kept.word, i64 %wide, i8 %flag)
  ret void
}

define i32 @irsan_set_action(i32 %number, ptr %new, ptr %old) {
entry:
  %wanted = alloca %irsan.action, align 16
  %before = alloca %irsan.action, align 16
  %below = icmp slt i32 %number, 1
  %above = icmp sgt i32 %number, 64
  %strange = or i1 %below, %above
  br i1 %strange, label %real, label %known
real:
  %refused = call i32 @__irsan_real_sigaction(i32 %number, ptr %new, ptr %old)
  ret i32 %refused
known:
  %kept = call ptr @irsan_guest_action(i32 %number)
  %exclusive = call i8 @k.is_exclusive_signal(i32 %number)
  %is.ours = icmp ne i8 %exclusive, 0
  %is.question = icmp eq ptr %new, null
  %asks = or i1 %is.ours, %is.question
  br i1 %asks, label %ask, label %change
ask:
  %asked = call i32 @__irsan_real_sigaction(i32 %number, ptr null, ptr %before)
  br label %answer
change:
  call void @llvm.memcpy.p0.p0.i64(ptr %wanted, ptr %new,
      i64 ptrtoint (ptr @"libc.sizeof struct sigaction" to i64), i1 false)
  %handler = load i64, ptr %new
  %flags.place = getelementptr i8, ptr %wanted,
      i64 ptrtoint (ptr @"libc.struct sigaction.sa_flags" to i64)
  %flags = load i32, ptr %flags.place
  %is.function = icmp ugt i64 %handler, 1
  br i1 %is.function, label %ours, label %builtin
ours:
  store ptr @irsan_on_signal, ptr %wanted
  %kept.flags = and i32 %flags, ptrtoint (ptr @constants.NOT_ONCE to i32)
  %ours.flags = or i32 %kept.flags, ptrtoint (ptr @libc.SA_SIGINFO to i32)
  store i32 %ours.flags, ptr %flags.place
  %mask.place = getelementptr i8, ptr %wanted,
      i64 ptrtoint (ptr @"libc.struct sigaction.sa_mask" to i64)
  %mask = load i64, ptr %mask.place
  %open = and i64 %mask, ptrtoint (ptr @constants.NOT_SEGV to i64)
  store i64 %open, ptr %mask.place
  br label %set
builtin:
  %ends = call i8 @k.ends_by_default(i32 %number)
  %fatal = icmp ne i8 %ends, 0
  %is.default = icmp eq i64 %handler, 0
  %watched = and i1 %fatal, %is.default
  br i1 %watched, label %crash, label %set
crash:
  store ptr @irsan_on_crash, ptr %wanted
  store i32 ptrtoint (ptr @constants.CRASH_ACTION to i32), ptr %flags.place
  br label %set
set:
  %done = call i32 @__irsan_real_sigaction(i32 %number, ptr %wanted, ptr %before)
  br label %answer
answer:
  %result = phi i32 [ %asked, %ask ], [ %done, %set ]
  %good = icmp eq i32 %result, 0
  %wants.old = icmp ne ptr %old, null
  %tell = and i1 %good, %wants.old
  br i1 %tell, label %translate, label %store
translate:
  %was = load ptr, ptr %before
  %was.crash = icmp eq ptr %was, @irsan_on_crash
  %was.signal = icmp eq ptr %was, @irsan_on_signal
  %plain = select i1 %was.signal, ptr %kept, ptr %before
  call void @llvm.memcpy.p0.p0.i64(ptr %before, ptr %plain,
      i64 ptrtoint (ptr @"libc.sizeof struct sigaction" to i64), i1 false)
  br i1 %was.crash, label %default, label %store
default:
  store i64 0, ptr %before
  %old.flags = getelementptr i8, ptr %before,
      i64 ptrtoint (ptr @"libc.struct sigaction.sa_flags" to i64)
  store i32 0, ptr %old.flags
  br label %store
store:
  %changes = xor i1 %asks, true
  %keep = and i1 %good, %changes
  br i1 %keep, label %remember, label %give
remember:
  call void @irsan_keep_action(i32 %number, ptr %kept, ptr %new)
  br label %give
give:
  br i1 %tell, label %copy, label %end
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr %old, ptr %before,
      i64 ptrtoint (ptr @"libc.sizeof struct sigaction" to i64), i1 false)
  br label %end
end:
  ret i32 %result
}

define ptr @irsan_signal(i32 %number, ptr %handler, i32 %flags, i32 %ending) alwaysinline {
  %new = alloca %irsan.action, align 16
  %old = alloca %irsan.action, align 16
  call void @llvm.memset.p0.i64(ptr %new, i8 0,
      i64 ptrtoint (ptr @"libc.sizeof struct sigaction" to i64), i1 false)
  store ptr %handler, ptr %new
  %flags.place = getelementptr i8, ptr %new,
      i64 ptrtoint (ptr @"libc.struct sigaction.sa_flags" to i64)
  %wide = zext i32 %number to i64
  %below = and i64 %wide, 63
  %set = load i64, ptr @irsan_interrupting
  %shifted = lshr i64 %set, %below
  %ends = trunc i64 %shifted to i1
  %wanted = select i1 %ends, i32 %ending, i32 %flags
  store i32 %wanted, ptr %flags.place
  %result = call i32 @irsan_set_action(i32 %number, ptr %new, ptr %old)
  %was = load ptr, ptr %old
  %good = icmp eq i32 %result, 0
  %answer = select i1 %good, ptr %was, ptr inttoptr (i64 -1 to ptr)
  ret ptr %answer
}

define ptr @__interceptor_signal(i32 %number, ptr %handler) {
  %was = call ptr @irsan_signal(i32 %number, ptr %handler,
      i32 ptrtoint (ptr @libc.SA_RESTART to i32), i32 0)
  ret ptr %was
}

define ptr @__interceptor_bsd_signal(i32 %number, ptr %handler) {
  %was = call ptr @irsan_signal(i32 %number, ptr %handler,
      i32 ptrtoint (ptr @libc.SA_RESTART to i32), i32 0)
  ret ptr %was
}

define ptr @__interceptor_ssignal(i32 %number, ptr %handler) {
  %was = call ptr @irsan_signal(i32 %number, ptr %handler,
      i32 ptrtoint (ptr @libc.SA_RESTART to i32), i32 0)
  ret ptr %was
}

define ptr @__interceptor_sysv_signal(i32 %number, ptr %handler) {
  %was = call ptr @irsan_signal(i32 %number, ptr %handler,
      i32 ptrtoint (ptr @constants.SYSV_ACTION to i32),
      i32 ptrtoint (ptr @constants.SYSV_ACTION to i32))
  ret ptr %was
}

define ptr @__interceptor___sysv_signal(i32 %number, ptr %handler) {
  %was = call ptr @irsan_signal(i32 %number, ptr %handler,
      i32 ptrtoint (ptr @constants.SYSV_ACTION to i32),
      i32 ptrtoint (ptr @constants.SYSV_ACTION to i32))
  ret ptr %was
}

define i32 @__interceptor_siginterrupt(i32 %number, i32 %interrupts) {
  %action = alloca %irsan.action, align 16
  %asked = call i32 @irsan_set_action(i32 %number, ptr null, ptr %action)
  %known = icmp eq i32 %asked, 0
  br i1 %known, label %change, label %refused
refused:
  ret i32 -1
change:
  %ends = icmp ne i32 %interrupts, 0
  %wide = zext i32 %number to i64
  %below = and i64 %wide, 63
  %bit = shl i64 1, %below
  %others = xor i64 %bit, -1
  %set = load i64, ptr @irsan_interrupting
  %kept = and i64 %set, %others
  %added = select i1 %ends, i64 %bit, i64 0
  %next = or i64 %kept, %added
  store i64 %next, ptr @irsan_interrupting
  %place = getelementptr i8, ptr %action,
      i64 ptrtoint (ptr @"libc.struct sigaction.sa_flags" to i64)
  %flags = load i32, ptr %place
  %with = or i32 %flags, ptrtoint (ptr @libc.SA_RESTART to i32)
  %without = and i32 %flags, ptrtoint (ptr @constants.NOT_RESTARTING to i32)
  %wanted = select i1 %ends, i32 %without, i32 %with
  store i32 %wanted, ptr %place
  %done = call i32 @irsan_set_action(i32 %number, ptr %action, ptr null)
  ret i32 %done
}

@constants.CRASH_ACTION = external global i8
@constants.NOT_ONCE = external global i8
@constants.NOT_SEGV = external global i8
@constants.NOT_RESTARTING = external global i8
@constants.SYSV_ACTION = external global i8
@libc.SA_RESTART = external global i8
@libc.SA_SIGINFO = external global i8
@"libc.sizeof struct sigaction" = external global i8
@"libc.struct sigaction.sa_flags" = external global i8
@"libc.struct sigaction.sa_mask" = external global i8

declare void @k.action_changed(i64, i64, i8)
declare i8 @k.ends_by_default(i32)
declare i8 @k.is_exclusive_signal(i32)
declare i32 @__irsan_real_sigaction(i32, ptr, ptr)
declare void @irsan_on_crash(i32, ptr, ptr)
declare void @irsan_on_signal(i32, ptr, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
