; Strips, out of line: what is asked about many turns of a loop at once.
;
;   __irsan_strip_clean(lo, stride, n, size)         n times `size` bytes may be accessed
;   __irsan_strip_defined(lo, stride, n, size)       n times `size` bytes are initialised
;   __irsan_strip_read(at, stride, n, size, site)    n reads, each `stride` bytes behind the last,
;   __irsan_strip_write(...)                         are recorded; false: they may race, or are to
;                                                    be looked at one by one

define i1 @__irsan_strip_clean(i64 %lo, i64 %stride, i64 %n, i64 %size) nounwind {
  %word = call i8 @k.strip_is_clean(i64 %lo, i64 %stride, i64 %n, i64 %size)
  %r = icmp ne i8 %word, 0
  ret i1 %r
}

define i1 @__irsan_strip_defined(i64 %lo, i64 %stride, i64 %n, i64 %size) nounwind {
  %word = call i8 @k.strip_is_defined(i64 %lo, i64 %stride, i64 %n, i64 %size)
  %r = icmp ne i8 %word, 0
  ret i1 %r
}

define i1 @__irsan_strip_read(i64 %at, i64 %stride, i64 %n, i64 %size, i32 %site) nounwind {
  store i32 %site, ptr @ctx.site
  %word = call i8 @k.strip_touched(i64 %at, i64 %stride, i64 %n, i64 %size, i64 0)
  %r = icmp ne i8 %word, 0
  ret i1 %r
}

define i1 @__irsan_strip_write(i64 %at, i64 %stride, i64 %n, i64 %size, i32 %site) nounwind {
  store i32 %site, ptr @ctx.site
  %word = call i8 @k.strip_touched(i64 %at, i64 %stride, i64 %n, i64 %size, i64 1)
  %r = icmp ne i8 %word, 0
  ret i1 %r
}

@ctx.site = external global i8

declare i8 @k.strip_is_clean(i64, i64, i64, i64)
declare i8 @k.strip_is_defined(i64, i64, i64, i64)
declare i8 @k.strip_touched(i64, i64, i64, i64, i64)
