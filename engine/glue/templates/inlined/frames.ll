; Frames, sites and safepoints.
;
;   __tsan_func_entry(pc)     pushes a frame on the shadow call stack; EXTERNAL_PC: managed
;   __irsan_frame_entry()     pushes a frame; what it returns is for __irsan_frame_exit
;   __irsan_site(n)           the site of the call that follows
;   __irsan_safepoint()       fuel is left ?  go on  :  the scheduler may let others run

define void @__tsan_func_entry(ptr %pc) alwaysinline nounwind {
  %word = ptrtoint ptr %pc to i64
  %external = and i64 %word, ptrtoint (ptr @constants.EXTERNAL_PC to i64)
  %usual = icmp eq i64 %external, 0
  br i1 %usual, label %enter, label %managed, !prof !0
managed:
  call void @__irsan_external_entry(i64 %word)
  ret void
enter:
  %frame = call i64 @k.callstack_enter()
  ret void
}

define i64 @__irsan_frame_entry() alwaysinline nounwind {
  %frame = call i64 @k.callstack_enter()
  ret i64 %frame
}

define void @__tsan_func_exit() alwaysinline nounwind {
  call void @k.callstack_exit()
  ret void
}

define void @__irsan_frame_exit(i64 %frame) alwaysinline nounwind {
  call void @k.callstack_leave(i64 %frame)
  ret void
}

define void @__irsan_site(i32 %n) alwaysinline nounwind {
  store i32 %n, ptr @ctx.site
  ret void
}

define i64 @__irsan_weak_failed() alwaysinline nounwind {
  %failed = load i64, ptr @ctx.inject.weak_failed
  ret i64 %failed
}

define ptr @__irsan_tls_block() alwaysinline nounwind {
  %block = load i64, ptr @ctx.tls
  %p = inttoptr i64 %block to ptr
  ret ptr %p
}

define i64 @__irsan_frame_depth() alwaysinline nounwind {
  %d = call i64 @k.callstack_depth()
  ret i64 %d
}

define void @__irsan_frame_restore(i64 %d) alwaysinline nounwind {
  call void @k.callstack_restore(i64 %d)
  ret void
}

define void @__irsan_safepoint() alwaysinline nounwind {
  %fuel = load i64, ptr @ctx.fuel
  %left = add nsw i64 %fuel, -1
  store i64 %left, ptr @ctx.fuel
  %enough = icmp sgt i64 %left, 0
  br i1 %enough, label %done, label %slow, !prof !0
slow:
  call preserve_mostcc void @__irsan_safepoint_slow()
  br label %done
done:
  ret void
}

@constants.EXTERNAL_PC = external global i8
@ctx.fuel = external global i8
@ctx.site = external global i8
@ctx.inject.weak_failed = external global i8
@ctx.tls = external global i8

declare i64 @k.callstack_depth()
declare i64 @k.callstack_enter()
declare void @k.callstack_exit()
declare void @k.callstack_leave(i64)
declare void @k.callstack_restore(i64)
declare void @__irsan_external_entry(i64) cold
declare preserve_mostcc void @__irsan_safepoint_slow() cold

!0 = !{!"branch_weights", i32 100000, i32 1}
