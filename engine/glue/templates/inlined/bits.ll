; Uninitialised values: where the shadow of an address, of arguments and of a result is.
;
;   __irsan_bits_from(p)        min(p, end of what is covered) + SHADOW_BIAS: zeroes lie there
;   __irsan_bits_to(p)          the same with ANYWHERE, which is written and never read
;   __irsan_bits_at(p)          p + SHADOW_BIAS, for what surely is covered
;   __irsan_bits_beside(p, s, n)   s + n: p is n bytes from an address whose shadow is at s
;   __irsan_bits_passed(n)      a constant: the area for the shadow of arguments, at byte n

define ptr @__irsan_bits_from(ptr %p) alwaysinline nounwind {
  %a = ptrtoint ptr %p to i64
  %covered = icmp ult i64 %a, ptrtoint (ptr @constants.BITS_NOWHERE to i64)
  %b = select i1 %covered, i64 %a, i64 ptrtoint (ptr @constants.BITS_NOWHERE to i64)
  %at = add i64 %b, ptrtoint (ptr @uninit_layout.SHADOW_BIAS to i64)
  %r = inttoptr i64 %at to ptr
  ret ptr %r
}

define ptr @__irsan_bits_to(ptr %p) alwaysinline nounwind {
  %a = ptrtoint ptr %p to i64
  %covered = icmp ult i64 %a, ptrtoint (ptr @constants.BITS_ANYWHERE to i64)
  %b = select i1 %covered, i64 %a, i64 ptrtoint (ptr @constants.BITS_ANYWHERE to i64)
  %at = add i64 %b, ptrtoint (ptr @uninit_layout.SHADOW_BIAS to i64)
  %r = inttoptr i64 %at to ptr
  ret ptr %r
}

define ptr @__irsan_bits_at(ptr %p) alwaysinline nounwind {
  %a = ptrtoint ptr %p to i64
  %at = add i64 %a, ptrtoint (ptr @uninit_layout.SHADOW_BIAS to i64)
  %r = inttoptr i64 %at to ptr
  ret ptr %r
}

define ptr @__irsan_bits_beside(ptr %p, ptr %s, i64 %n) alwaysinline nounwind {
  %r = getelementptr i8, ptr %s, i64 %n
  ret ptr %r
}

define ptr @__irsan_bits_result() alwaysinline nounwind {
  ret ptr @uninit_layout.RESULT
}

define ptr @__irsan_bits_result_place() alwaysinline nounwind {
  ret ptr @uninit_layout.RESULT_ORIGIN
}

define ptr @__irsan_bits_callee() alwaysinline nounwind {
  ret ptr @uninit_layout.ARGUMENTS_FOR
}

define ptr @__irsan_bits_returned() alwaysinline nounwind {
  ret ptr @uninit_layout.RESULT_OF
}

define ptr @__irsan_bits_variadic_set() alwaysinline nounwind {
  ret ptr @uninit_layout.VARIADIC_SET_FOR
}

define ptr @__irsan_bits_variadic_on_stack() alwaysinline nounwind {
  ret ptr @uninit_layout.VARIADIC_ON_STACK
}

define ptr @__irsan_bits_passed(i64 %n) alwaysinline nounwind {
  %a = add i64 %n, ptrtoint (ptr @uninit_layout.PASSED to i64)
  %p = inttoptr i64 %a to ptr
  ret ptr %p
}

define ptr @__irsan_bits_passed_place(i64 %n) alwaysinline nounwind {
  %a = add i64 %n, ptrtoint (ptr @uninit_layout.PASSED_ORIGINS to i64)
  %p = inttoptr i64 %a to ptr
  ret ptr %p
}

define ptr @__irsan_bits_variadic(i64 %n) alwaysinline nounwind {
  %a = add i64 %n, ptrtoint (ptr @uninit_layout.VARIADIC to i64)
  %p = inttoptr i64 %a to ptr
  ret ptr %p
}

define ptr @__irsan_bits_variadic_place(i64 %n) alwaysinline nounwind {
  %a = add i64 %n, ptrtoint (ptr @uninit_layout.VARIADIC_ORIGINS to i64)
  %p = inttoptr i64 %a to ptr
  ret ptr %p
}

@constants.BITS_ANYWHERE = external global i8
@constants.BITS_NOWHERE = external global i8
@uninit_layout.ARGUMENTS_FOR = external global i8
@uninit_layout.PASSED = external global i8
@uninit_layout.PASSED_ORIGINS = external global i8
@uninit_layout.RESULT = external global i8
@uninit_layout.RESULT_OF = external global i8
@uninit_layout.RESULT_ORIGIN = external global i8
@uninit_layout.SHADOW_BIAS = external global i8
@uninit_layout.VARIADIC = external global i8
@uninit_layout.VARIADIC_ON_STACK = external global i8
@uninit_layout.VARIADIC_ORIGINS = external global i8
@uninit_layout.VARIADIC_SET_FOR = external global i8
