; What clang writes for checks that no flag of ours asks for: places, types, calls of handlers.
target triple = "x86_64-unknown-linux-gnu"
@file = private constant [8 x i8] c"hand.cc\00"
@int = private constant { i16, i16, [6 x i8] } { i16 0, i16 11, [6 x i8] c"'int'\00" }
@class = private constant { i16, i16, [6 x i8] } { i16 -1, i16 0, [6 x i8] c"'Cls'\00" }
@a = private global { { ptr, i32, i32 }, ptr } { { ptr, i32, i32 } { ptr @file, i32 1, i32 2 }, ptr @class }
@b = private global { ptr, i32, i32 } { ptr @file, i32 3, i32 4 }
@c = private global { i8, { ptr, i32, i32 }, ptr } { i8 4, { ptr, i32, i32 } { ptr @file, i32 5, i32 6 }, ptr @class }
@d = private global { i8, { ptr, i32, i32 }, ptr } { i8 0, { ptr, i32, i32 } { ptr @file, i32 7, i32 8 }, ptr @class }
@e = private global { ptr, i32, i32 } { ptr @file, i32 9, i32 1 }
@old = private constant { ptr, ptr } { ptr @int, ptr @int }
@table = private global [2 x i64] zeroinitializer
declare void @__ubsan_handle_invalid_objc_cast(ptr, i64)
declare void @__ubsan_handle_local_out_of_bounds(ptr)
declare void @__ubsan_handle_cfi_check_fail(ptr, i64, i64)
declare void @__ubsan_handle_pointer_overflow(ptr, i64, i64)
declare void @__ubsan_handle_float_cast_overflow(ptr, i64)
declare void @__ubsan_handle_add_overflow_minimal()
declare void @__ubsan_handle_missing_return(ptr)
define i32 @main() {
  call void @__ubsan_handle_invalid_objc_cast(ptr @a, i64 0)
  call void @__ubsan_handle_invalid_objc_cast(ptr @a, i64 0)
  call void @__ubsan_handle_local_out_of_bounds(ptr @b)
  call void @__ubsan_handle_cfi_check_fail(ptr @c, i64 ptrtoint (ptr @main to i64), i64 0)
  call void @__ubsan_handle_cfi_check_fail(ptr @d, i64 ptrtoint (ptr @table to i64), i64 0)
  call void @__ubsan_handle_pointer_overflow(ptr @e, i64 0, i64 0)
  call void @__ubsan_handle_float_cast_overflow(ptr @old, i64 7)
  call void @__ubsan_handle_add_overflow_minimal()
  call void @__ubsan_handle_missing_return(ptr @b)
  ret i32 0
}
