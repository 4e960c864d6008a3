; Exact objects, out of line: what leaves its object.
;
;   __irsan_slow_extent(root, place, reach)   asks the kernel, which keeps the answer at the place
;   __irsan_slow_asked(a, root, place, ..)    the same, and holds an access at a to the answer
;   __irsan_slow_kept(a, lo, n, root)         notes a pointer kept outside of its object
;
; The others put the site back that was known before: code behind a check relies on it. A site whose
; sign bit is set is in a function without a frame (site_stores.BARE): it has one for so long.

define internal i32 @__irsan_come_to(i32 %site) alwaysinline nounwind {
  %before = load i32, ptr @ctx.site
  %bare = icmp slt i32 %site, 0
  br i1 %bare, label %enter, label %begin
enter:
  %frame = call i64 @k.callstack_enter()
  br label %begin
begin:
  %number = and i32 %site, 2147483647
  store i32 %number, ptr @ctx.site
  ret i32 %before
}

define internal void @__irsan_go_back(i32 %site, i32 %before) alwaysinline nounwind {
  %bare = icmp slt i32 %site, 0
  br i1 %bare, label %leave, label %end
leave:
  call void @k.callstack_exit()
  br label %end
end:
  store i32 %before, ptr @ctx.site
  ret void
}

define preserve_mostcc void @__irsan_slow_extent(i64 %a, i64 %place, i64 %reach)
    noinline cold nounwind {
  call void @k.extent_of(i64 %a, i64 %place, i64 %reach)
  ret void
}

define preserve_mostcc void @__irsan_slow_asked(
    i64 %a, i64 %root, i64 %place, i64 %reach, i64 %info, i32 %site) noinline cold nounwind {
  call void @k.extent_of(i64 %root, i64 %place, i64 %reach)
  %lo.at = getelementptr i8, ptr @extent_records.EXTENTS, i64 %place
  %lo = load i64, ptr %lo.at
  %length.at = getelementptr i8, ptr %lo.at, i64 8
  %n = load i64, ptr %length.at
  %offset = sub i64 %a, %lo
  %inside = icmp ult i64 %offset, %n
  br i1 %inside, label %done, label %outside
outside:
  call preserve_mostcc void @__irsan_slow_bounds(i64 %a, i64 %lo, i64 %n, i64 %info, i32 %site)
  br label %done
done:
  ret void
}

define preserve_mostcc void @__irsan_slow_range(
    i64 %a, i64 %lo, i64 %n, i64 %size, i64 %info, i32 %site) noinline cold nounwind {
  %before = call i32 @__irsan_come_to(i32 %site)
  call void @k.bounds_range(i64 %a, i64 %lo, i64 %n, i64 %size, i64 %info)
  call void @__irsan_act_if_asked()
  call void @__irsan_go_back(i32 %site, i32 %before)
  ret void
}

define preserve_mostcc void @__irsan_slow_bounds(i64 %a, i64 %lo, i64 %n, i64 %info, i32 %site)
    noinline cold nounwind {
  %before = call i32 @__irsan_come_to(i32 %site)
  call void @k.bounds_left(i64 %a, i64 %lo, i64 %n, i64 %info)
  call void @__irsan_act_if_asked()
  call void @__irsan_go_back(i32 %site, i32 %before)
  ret void
}

define preserve_mostcc void @__irsan_slow_near(i64 %a, i64 %root, i64 %info, i32 %site)
    noinline cold nounwind {
  %before = call i32 @__irsan_come_to(i32 %site)
  call void @k.bounds_near(i64 %a, i64 %root, i64 %info)
  call void @__irsan_act_if_asked()
  call void @__irsan_go_back(i32 %site, i32 %before)
  ret void
}

define preserve_mostcc void @__irsan_slow_kept(i64 %a, i64 %lo, i64 %n, i64 %root)
    noinline cold nounwind {
  call void @k.note_outside(i64 %a, i64 %lo, i64 %n, i64 %root)
  ret void
}

@ctx.site = external global i8
@extent_records.EXTENTS = external global i8

declare i64 @k.callstack_enter()
declare void @k.callstack_exit()
declare void @k.bounds_left(i64, i64, i64, i64)
declare void @k.bounds_near(i64, i64, i64)
declare void @k.bounds_range(i64, i64, i64, i64, i64)
declare void @k.extent_of(i64, i64, i64)
declare void @k.note_outside(i64, i64, i64, i64)
declare void @__irsan_act_if_asked()
