; Exact objects: one subtraction and one comparison.
;
;   __irsan_bounds_check(p, lo, length, info, site):
;
;       p - lo < length  -yes->  done
;           | no
;       __irsan_slow_bounds(p, lo, length, info, site)      preserve_mostcc, noinline
;
;   __irsan_object_length()      the length that __irsan_object_lo (bounds.ll) has left

define void @__irsan_bounds_check(ptr %p, ptr %lo, i64 %n, i64 %info, i32 %site)
    alwaysinline nounwind {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %lo to i64
  %offset = sub i64 %a, %b
  %inside = icmp ult i64 %offset, %n
  br i1 %inside, label %done, label %slow, !prof !0
slow:
  call preserve_mostcc void @__irsan_slow_bounds(i64 %a, i64 %b, i64 %n, i64 %info, i32 %site)
  br label %done
done:
  ret void
}

define i64 @__irsan_object_length() alwaysinline nounwind {
  %n = load i64, ptr @ctx.bounds.length
  ret i64 %n
}

@ctx.bounds.length = external global i8

declare preserve_mostcc void @__irsan_slow_bounds(i64, i64, i64, i64, i32) cold

!0 = !{!"branch_weights", i32 100000, i32 1}
