; Strips: turns of a loop whose checks were made ahead (instrument/loops).
;
;   __irsan_strip_length(turns)    turns until the next safepoint that asks, or until a limit
;   __irsan_strip_done(n)          a safepoint that stands for those of n turns
;   __irsan_strip_left(n)          n turns were made, and the loop was left
;   __irsan_races_ignored()        accesses of this thread are not recorded

define i64 @__irsan_strip_length(i64 %turns) alwaysinline nounwind {
  %fuel = load i64, ptr @ctx.fuel
  %few = icmp ult i64 %turns, ptrtoint (ptr @constants.MOST_TURNS to i64)
  %most = select i1 %few, i64 %turns, i64 ptrtoint (ptr @constants.MOST_TURNS to i64)
  %short = icmp slt i64 %fuel, %most
  %n = select i1 %short, i64 %fuel, i64 %most
  ret i64 %n
}

define void @__irsan_strip_done(i64 %n) alwaysinline nounwind {
  %fuel = load i64, ptr @ctx.fuel
  %left = sub nsw i64 %fuel, %n
  store i64 %left, ptr @ctx.fuel
  %enough = icmp sgt i64 %left, 0
  br i1 %enough, label %done, label %slow, !prof !0
slow:
  call preserve_mostcc void @__irsan_safepoint_slow()
  br label %done
done:
  ret void
}

define void @__irsan_strip_left(i64 %n) alwaysinline nounwind {
  %fuel = load i64, ptr @ctx.fuel
  %left = sub nsw i64 %fuel, %n
  store i64 %left, ptr @ctx.fuel
  ret void
}

define i1 @__irsan_races_ignored() alwaysinline nounwind {
  %depth = load i64, ptr @ctx.ignore_depth
  %ignored = icmp ne i64 %depth, 0
  ret i1 %ignored
}

@constants.MOST_TURNS = external global i8
@ctx.fuel = external global i8
@ctx.ignore_depth = external global i8

declare preserve_mostcc void @__irsan_safepoint_slow() cold

!0 = !{!"branch_weights", i32 100000, i32 1}
