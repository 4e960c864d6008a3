; A panic of Rust begins to unwind: the host is told first.
;
;   __interceptor__Unwind_RaiseException   an exception of Rust's class goes to the host; then any
;                                          goes on as the unwinder's own, from the same caller
;
; Source: the Itanium C++ ABI, exception handling, 1.2 (the class of an exception).

define i32 @__interceptor__Unwind_RaiseException(ptr %exception) {
  %class = load i64, ptr %exception
  %is.now = icmp eq i64 %class, ptrtoint (ptr @constants.RUST_CLASS to i64)
  %is.before = icmp eq i64 %class, ptrtoint (ptr @constants.RUST_CLASS_BEFORE to i64)
  %is.rust = or i1 %is.now, %is.before
  br i1 %is.rust, label %tell, label %raise
tell:
  call void @__interceptor_irsan_panic_raised(ptr %exception)
  br label %raise
raise:
  %reason = musttail call i32 @__irsan_real__Unwind_RaiseException(ptr %exception)
  ret i32 %reason
}

@constants.RUST_CLASS = external global i8
@constants.RUST_CLASS_BEFORE = external global i8

declare void @__interceptor_irsan_panic_raised(ptr)
declare i32 @__irsan_real__Unwind_RaiseException(ptr)
