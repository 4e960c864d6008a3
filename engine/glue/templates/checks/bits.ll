; Uninitialised values, out of line: uses, ranges, variable arguments.
;
;   __irsan_uninit_use(place, n, site)      asks the kernel; preserve_mostcc, noinline, cold
;   __irsan_bits_shown(place, n)            the same: a value is loaded, and used later
;
; Those with a site put the one back that was known before: code behind them relies on it.  Uses and
; stores make the frame of a function that has none (bounds.ll).  What lies below %sp belonged to
; calls that have returned.

define preserve_mostcc void @__irsan_uninit_use(ptr %p, i64 %n, i32 %site) noinline cold nounwind {
  %a = ptrtoint ptr %p to i64
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %sp = ptrtoint ptr %frame to i64
  %before = call i32 @__irsan_come_to(i32 %site)
  call void @k.uninit_use(i64 %a, i64 %n, i64 %sp)
  call void @__irsan_act_if_asked()
  call void @__irsan_go_back(i32 %site, i32 %before)
  ret void
}

define preserve_mostcc void @__irsan_uninit_stored(ptr %p, i64 %n, ptr %q, i64 %size, i32 %site)
    noinline cold nounwind {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %sp = ptrtoint ptr %frame to i64
  %before = call i32 @__irsan_come_to(i32 %site)
  call void @k.uninit_stored(i64 %a, i64 %n, i64 %b, i64 %size, i64 %sp)
  call void @__irsan_act_if_asked()
  call void @__irsan_go_back(i32 %site, i32 %before)
  ret void
}

define preserve_mostcc void @__irsan_bits_shown(ptr %p, i64 %n) noinline cold nounwind {
  %a = ptrtoint ptr %p to i64
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %sp = ptrtoint ptr %frame to i64
  call void @k.shown_bits(i64 %a, i64 %n, i64 %sp)
  ret void
}

define i64 @__irsan_uninit_variadic(ptr %p, ptr %q, i32 %site) noinline nounwind {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %sp = ptrtoint ptr %frame to i64
  %before = load i32, ptr @ctx.site
  store i32 %site, ptr @ctx.site
  %told = call i64 @k.variadic_take(i64 %a, i64 %b, i64 %sp)
  call void @__irsan_act_if_asked()
  store i32 %before, ptr @ctx.site
  ret i64 %told
}

define void @__irsan_bits_begin(ptr %p, i64 %n, i32 %origin) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.stack_begin(i64 %a, i64 %n, i32 %origin)
  ret void
}

define void @__irsan_bits_clear(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.bits_clear(i64 %a, i64 %n)
  ret void
}

define void @__irsan_bits_copy(ptr %p, ptr %q, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  call void @k.bits_copy(i64 %a, i64 %b, i64 %n)
  ret void
}

define void @__irsan_bits_variadic_begin(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.variadic_begin(i64 %a, i64 %n)
  ret void
}

define void @__irsan_bits_variadic_copy(i64 %offset, ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.variadic_copy(i64 %offset, i64 %a, i64 %n)
  ret void
}

define void @__irsan_bits_variadic_forward(ptr %p, ptr %q, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  call void @k.variadic_forward(i64 %a, i64 %b, i64 %n)
  ret void
}

@ctx.site = external global i8

declare i32 @__irsan_come_to(i32)
declare void @__irsan_go_back(i32, i32)
declare void @k.bits_clear(i64, i64)
declare void @k.bits_copy(i64, i64, i64)
declare void @k.shown_bits(i64, i64, i64)
declare void @k.stack_begin(i64, i64, i32)
declare void @k.uninit_stored(i64, i64, i64, i64, i64)
declare void @k.uninit_use(i64, i64, i64)
declare void @k.variadic_begin(i64, i64)
declare void @k.variadic_copy(i64, i64, i64)
declare void @k.variadic_forward(i64, i64, i64)
declare i64 @k.variadic_take(i64, i64, i64)
declare void @__irsan_act_if_asked()
declare ptr @llvm.frameaddress.p0(i32)
