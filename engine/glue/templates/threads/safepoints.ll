; Safepoints and managed calls, out of line.
;
;   __irsan_written            behind an atomic operation that wrote: others may look at it now
;   __irsan_safepoint_slow     signals that are due, the scheduler's question, cancellation
;   __irsan_external_entry     a call in managed code, whose place only the program can name

define void @__irsan_written() alwaysinline {
  %attention = load i64, ptr @ctx.turns.attention
  %is.old = icmp eq i64 %attention, 0
  br i1 %is.old, label %go, label %look, !prof !0
look:
  call void @k.written_point()
  br label %go
go:
  call void @__irsan_safepoint()
  ret void
}

define preserve_mostcc void @__irsan_safepoint_slow() noinline cold {
  call void @irsan_deliver_if_due()
  %other = call i8 @k.safepoint_slow()
  call void @k.alone_for_long()
  %switch = icmp ne i8 %other, 0
  br i1 %switch, label %yes, label %no
yes:
  call void @__irsan_reschedule()
  br label %no
no:
  call void @k.end_if_cancelled()
  call void @__irsan_act_if_asked()
  ret void
}

define void @__irsan_external_entry(i64 %pc) noinline cold nounwind {
  call void @k.external_entry(i64 %pc)
  ret void
}

@ctx.turns.attention = external global i8

declare void @k.alone_for_long()
declare void @k.end_if_cancelled()
declare void @k.external_entry(i64)
declare i8 @k.safepoint_slow()
declare void @k.written_point()
declare void @__irsan_act_if_asked()
declare void @__irsan_reschedule()
declare void @__irsan_safepoint()
declare void @irsan_deliver_if_due()

!0 = !{!"branch_weights", i32 100000, i32 1}
