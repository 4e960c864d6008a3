; sigaltstack: one alternate stack for each thread, as natively.
;
; The kernel knows one thread, whose alternate stack is irsan's own until the guest uses the
; function; from then on it is set behind every switch, on the stack of the thread that runs from
; there on: the kernel refuses a change by whoever is on the stack that is to be changed.
;
;   ALTERNATE_STACKS    by slot: the thread's stack_t (24 bytes), and its number + 1
;
; Where a thread has none, irsan's own is in force, on which a crash is reported.
;
; Source: sigaltstack(2). Deviations: a handler with SA_ONSTACK in a thread without an alternate
; stack runs on irsan's.

@irsan_own_stack = global [3 x i64] zeroinitializer, align 16

define ptr @irsan_stack_place(i64 %thread) alwaysinline {
  %slot.addr = add i64 %thread, ptrtoint (ptr @thread.slot to i64)
  %slot.place = inttoptr i64 %slot.addr to ptr
  %slot = load i64, ptr %slot.place
  %offset = shl i64 %slot, 5
  %addr = add i64 %offset, ptrtoint (ptr @signal_records.ALTERNATE_STACKS to i64)
  %place = inttoptr i64 %addr to ptr
  ret ptr %place
}

define i1 @irsan_has_stack(i64 %thread, ptr %place) alwaysinline {
  %tid.addr = add i64 %thread, ptrtoint (ptr @thread.tid to i64)
  %tid.place = inttoptr i64 %tid.addr to ptr
  %tid = load i64, ptr %tid.place
  %mark = add i64 %tid, 1
  %owner.place = getelementptr i64, ptr %place, i64 3
  %owner = load i64, ptr %owner.place
  %own = icmp eq i64 %owner, %mark
  ret i1 %own
}

define void @irsan_enter_stack() alwaysinline {
  %used = load i64, ptr @ctx.signals.stacks_used
  %never = icmp eq i64 %used, 0
  br i1 %never, label %done, label %enter, !prof !0
enter:
  call void @irsan_set_own_stack()
  br label %done
done:
  ret void
}

define void @irsan_set_own_stack() noinline cold {
  %thread = load i64, ptr @ctx.thread
  %place = call ptr @irsan_stack_place(i64 %thread)
  %own = call i1 @irsan_has_stack(i64 %thread, ptr %place)
  %chosen = select i1 %own, ptr %place, ptr @irsan_own_stack
  %ignored = call i32 @__irsan_real_sigaltstack(ptr %chosen, ptr null)
  ret void
}

define i32 @irsan_sigaltstack(ptr %new, ptr %old) {
entry:
  %before = alloca [3 x i64], align 16
  call void @llvm.memset.p0.i64(ptr %before, i8 0,
      i64 ptrtoint (ptr @"libc.sizeof stack_t" to i64), i1 false)
  %flags.before = getelementptr i8, ptr %before, i64 8
  store i32 ptrtoint (ptr @libc.SS_DISABLE to i32), ptr %flags.before
  %thread = load i64, ptr @ctx.thread
  %place = call ptr @irsan_stack_place(i64 %thread)
  %owner.place = getelementptr i64, ptr %place, i64 3
  %used = load i64, ptr @ctx.signals.stacks_used
  %first = icmp eq i64 %used, 0
  br i1 %first, label %begin, label %look
begin:
  %asked = call i32 @__irsan_real_sigaltstack(ptr null, ptr @irsan_own_stack)
  store i64 1, ptr @ctx.signals.stacks_used
  br label %look
look:
  %own = call i1 @irsan_has_stack(i64 %thread, ptr %place)
  br i1 %own, label %ask, label %change
ask:
  %asked.own = call i32 @__irsan_real_sigaltstack(ptr null, ptr %before)
  br label %change
change:
  %only.asks = icmp eq ptr %new, null
  br i1 %only.asks, label %tell, label %set
set:
  %flags.place = getelementptr i8, ptr %new, i64 8
  %flags = load i32, ptr %flags.place
  %disable.bit = and i32 %flags, ptrtoint (ptr @libc.SS_DISABLE to i32)
  %disables = icmp ne i32 %disable.bit, 0
  %wanted = select i1 %disables, ptr @irsan_own_stack, ptr %new
  %status = call i32 @__irsan_real_sigaltstack(ptr %wanted, ptr null)
  %good = icmp eq i32 %status, 0
  br i1 %good, label %keep, label %fail
fail:
  ret i32 %status
keep:
  call void @llvm.memcpy.p0.p0.i64(ptr %place, ptr %new,
      i64 ptrtoint (ptr @"libc.sizeof stack_t" to i64), i1 false)
  %tid.addr = add i64 %thread, ptrtoint (ptr @thread.tid to i64)
  %tid.place = inttoptr i64 %tid.addr to ptr
  %tid = load i64, ptr %tid.place
  %mark = add i64 %tid, 1
  %kept = select i1 %disables, i64 0, i64 %mark
  store i64 %kept, ptr %owner.place
  br label %tell
tell:
  %wants.old = icmp ne ptr %old, null
  br i1 %wants.old, label %copy, label %done
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr %old, ptr %before,
      i64 ptrtoint (ptr @"libc.sizeof stack_t" to i64), i1 false)
  br label %done
done:
  ret i32 0
}

@ctx.signals.stacks_used = external global i8
@ctx.thread = external global i8
@libc.SS_DISABLE = external global i8
@"libc.sizeof stack_t" = external global i8
@signal_records.ALTERNATE_STACKS = external global i8
@thread.slot = external global i8
@thread.tid = external global i8

declare i32 @__irsan_real_sigaltstack(ptr, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

!0 = !{!"branch_weights", i32 100000, i32 1}
