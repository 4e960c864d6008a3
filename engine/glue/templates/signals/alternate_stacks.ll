; sigaltstack: one alternate stack for each thread, as natively.
;
; The kernel knows one thread, whose alternate stack is irsan's own until the guest uses the
; function; from then on it is set behind every switch, on the stack of the thread that runs from
; there on: the kernel refuses a change by whoever is on the stack that is to be changed.
;
;   k.alternate_stack_place    where the running thread's stack_t is kept (alternate_stacks.py)
;
; Where a thread has none, irsan's own is in force, on which a crash is reported.
;
; Source: sigaltstack(2). Deviations: a handler with SA_ONSTACK in a thread without an alternate
; stack runs on irsan's.

@irsan_own_stack = global [3 x i64] zeroinitializer, align 16

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
  %word = call i64 @k.alternate_stack_place()
  %place = inttoptr i64 %word to ptr
  %has = call i8 @k.has_alternate_stack()
  %own = icmp ne i8 %has, 0
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
  %word = call i64 @k.alternate_stack_place()
  %place = inttoptr i64 %word to ptr
  %used = load i64, ptr @ctx.signals.stacks_used
  %first = icmp eq i64 %used, 0
  br i1 %first, label %begin, label %look
begin:
  %asked = call i32 @__irsan_real_sigaltstack(ptr null, ptr @irsan_own_stack)
  store i64 1, ptr @ctx.signals.stacks_used
  br label %look
look:
  %has = call i8 @k.has_alternate_stack()
  %own = icmp ne i8 %has, 0
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
  %enables = xor i1 %disables, true
  %is.one = zext i1 %enables to i8
  call void @k.alternate_stack_set(i8 %is.one)
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
@libc.SS_DISABLE = external global i8
@"libc.sizeof stack_t" = external global i8

declare i32 @__irsan_real_sigaltstack(ptr, ptr)
declare i64 @k.alternate_stack_place()
declare i8 @k.has_alternate_stack()
declare void @k.alternate_stack_set(i8)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

!0 = !{!"branch_weights", i32 100000, i32 1}
