; Exact objects, out of line: what leaves its object.
;
;   __irsan_object_lo(root)      asks the kernel, which leaves the length in ctx.bounds[0]
;
; Each puts the site back that was known before: code behind a check relies on it.

define ptr @__irsan_object_lo(ptr %p) nounwind {
  %a = ptrtoint ptr %p to i64
  %lo = call i64 @k.object_lo(i64 %a)
  %r = inttoptr i64 %lo to ptr
  ret ptr %r
}

define void @__irsan_bounds_range(ptr %p, ptr %b, i64 %n, i64 %size, i64 %info, i32 %site)
    nounwind {
  %a = ptrtoint ptr %p to i64
  %lo = ptrtoint ptr %b to i64
  %before = load i32, ptr @ctx.site
  store i32 %site, ptr @ctx.site
  call void @k.bounds_range(i64 %a, i64 %lo, i64 %n, i64 %size, i64 %info)
  call void @__irsan_act_if_asked()
  store i32 %before, ptr @ctx.site
  ret void
}

define preserve_mostcc void @__irsan_slow_bounds(i64 %a, i64 %lo, i64 %n, i64 %info, i32 %site)
    noinline cold nounwind {
  %before = load i32, ptr @ctx.site
  store i32 %site, ptr @ctx.site
  call void @k.bounds_left(i64 %a, i64 %lo, i64 %n, i64 %info)
  call void @__irsan_act_if_asked()
  store i32 %before, ptr @ctx.site
  ret void
}

@ctx.site = external global i8

declare void @k.bounds_left(i64, i64, i64, i64)
declare void @k.bounds_range(i64, i64, i64, i64, i64)
declare i64 @k.object_lo(i64)
declare void @__irsan_act_if_asked()
