; Hooks that are alike for every program: ranges, memory functions, fences, what is ignored, starts.
;
;   __asan_loadN(p, n), __tsan_read_range(p, n), ...   n bytes at p
;   __asan_memcpy, __tsan_memcpy, ...                  the interceptor of the function
;   __tsan_atomic_thread_fence, .._signal_fence        the second orders nothing between threads
;   __tsan_ignore_thread_begin, .._end                 accesses in between are not looked at
;   __asan_init, ...                                   the runtime has begun before the program
;   __irsan_count(p, site)                             one access more: docs/first-sanitizer.md

define void @__asan_loadN(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  %may = call i8 @k.asan_access_slow(i64 %a, i64 %n, i64 0)
  call void @__irsan_act_if_asked()
  ret void
}

define void @__asan_loadN_noabort(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  %may = call i8 @k.asan_access_slow(i64 %a, i64 %n, i64 0)
  call void @__irsan_act_if_asked()
  ret void
}

define void @__asan_storeN(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  %may = call i8 @k.asan_access_slow(i64 %a, i64 %n, i64 1)
  call void @__irsan_act_if_asked()
  ret void
}

define void @__asan_storeN_noabort(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  %may = call i8 @k.asan_access_slow(i64 %a, i64 %n, i64 1)
  call void @__irsan_act_if_asked()
  ret void
}

define void @__tsan_read_range(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.race_range(i64 %a, i64 %n, i64 0)
  call void @__irsan_act_if_asked()
  ret void
}

define void @__tsan_write_range(ptr %p, i64 %n) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.race_range(i64 %a, i64 %n, i64 1)
  call void @__irsan_act_if_asked()
  ret void
}

define void @__tsan_atomic_thread_fence(i32 %order) nounwind {
  %wide = zext i32 %order to i64
  call void @k.race_fence(i64 %wide)
  call void @k.sync_point()
  call void @__irsan_safepoint()
  ret void
}

define void @__tsan_atomic_signal_fence(i32 %order) nounwind {
  call void @k.sync_point()
  call void @__irsan_safepoint()
  ret void
}

define ptr @__asan_memcpy(ptr %a0, ptr %a1, i64 %a2) nounwind {
  %r = call ptr @__interceptor_memcpy(ptr %a0, ptr %a1, i64 %a2)
  ret ptr %r
}

define ptr @__asan_memmove(ptr %a0, ptr %a1, i64 %a2) nounwind {
  %r = call ptr @__interceptor_memmove(ptr %a0, ptr %a1, i64 %a2)
  ret ptr %r
}

define ptr @__asan_memset(ptr %a0, i32 %a1, i64 %a2) nounwind {
  %r = call ptr @__interceptor_memset(ptr %a0, i32 %a1, i64 %a2)
  ret ptr %r
}

define ptr @__tsan_memcpy(ptr %a0, ptr %a1, i64 %a2) nounwind {
  %r = call ptr @__interceptor_memcpy(ptr %a0, ptr %a1, i64 %a2)
  ret ptr %r
}

define ptr @__tsan_memmove(ptr %a0, ptr %a1, i64 %a2) nounwind {
  %r = call ptr @__interceptor_memmove(ptr %a0, ptr %a1, i64 %a2)
  ret ptr %r
}

define ptr @__tsan_memset(ptr %a0, i32 %a1, i64 %a2) nounwind {
  %r = call ptr @__interceptor_memset(ptr %a0, i32 %a1, i64 %a2)
  ret ptr %r
}

define void @__tsan_ignore_thread_begin() nounwind {
  call void @k.race_ignore_begin()
  ret void
}

define void @__tsan_ignore_thread_end() nounwind {
  call void @k.race_ignore_end()
  ret void
}

define void @__tsan_init() nounwind {
  ret void
}

define void @__asan_init() nounwind {
  ret void
}

define void @__asan_version_mismatch_check_v8() nounwind {
  ret void
}

define void @__asan_handle_no_return() nounwind {
  ret void
}

define void @__irsan_count(ptr %p, i32 %site) nounwind {
  %a = ptrtoint ptr %p to i64
  call void @k.count_access(i64 %a, i32 %site)
  ret void
}

declare i8 @k.asan_access_slow(i64, i64, i64)
declare void @k.count_access(i64, i32)
declare void @k.race_fence(i64)
declare void @k.race_ignore_begin()
declare void @k.race_ignore_end()
declare void @k.race_range(i64, i64, i64)
declare void @k.sync_point()
declare void @__irsan_act_if_asked()
declare void @__irsan_safepoint()
declare ptr @__interceptor_memcpy(ptr, ptr, i64)
declare ptr @__interceptor_memmove(ptr, ptr, i64)
declare ptr @__interceptor_memset(ptr, i32, i64)
