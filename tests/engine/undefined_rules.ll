; One function for each rule of undefined behaviour that IR shows; main calls them all.
; The name says what is to be found: KIND before the first two underscores, or `ok`.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@cell = global i64 0, align 8
@bytes = global [32 x i8] c"\02\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00", align 16

declare void @may_not_return()

define i32 @signed_integer_overflow__add(i32 %a) noinline {
  %sum = add nsw i32 %a, 2147483647
  ret i32 %sum
}

define i32 @signed_integer_overflow__stored(i32 %a) noinline {
  %product = mul nsw i32 %a, 2147483647
  store i32 %product, ptr @cell, align 8
  ret i32 0
}

define i32 @signed_integer_overflow__narrow(i32 %a) noinline {
  %narrow = trunc i32 %a to i24
  %sum = sub nsw i24 -8388608, %narrow
  %wide = sext i24 %sum to i32
  ret i32 %wide
}

define i32 @unsigned_integer_overflow__sub(i32 %a) noinline {
  %less = sub nuw i32 1, %a
  %more = icmp ugt i32 %less, 7
  br i1 %more, label %high, label %low
high:
  ret i32 1
low:
  ret i32 0
}

define i32 @ok__unused(i32 %a) noinline {
  %sum = add nsw i32 %a, 2147483647
  %is.small = icmp slt i32 %a, 2
  %chosen = select i1 %is.small, i32 %sum, i32 7
  ret i32 %chosen
}

define i32 @ok__frozen(i32 %a) noinline {
  %sum = add nsw i32 %a, 2147483647
  %frozen = freeze i32 %sum
  ret i32 %frozen
}

define i32 @ok__wraps(i32 %a) noinline {
  %sum = add i32 %a, 2147483647
  ret i32 %sum
}

define i32 @signed_integer_overflow__optnone(i32 %a) noinline optnone {
  %sum = add nsw i32 %a, 2147483647
  ret i32 0
}

define i32 @integer_divide_by_zero__urem(i32 %a) noinline {
  %zero = sub i32 %a, 2
  %safe = icmp eq i32 %zero, 0
  %rest = urem i32 7, %zero
  ret i32 %rest
}

define i32 @ok__division(i32 %a) noinline {
  %quotient = sdiv i32 -2147483647, %a
  %other = udiv i32 %quotient, 3
  ret i32 %other
}

define i32 @invalid_shift_exponent__lshr(i32 %a) noinline {
  %amount = add i32 %a, 30
  %shifted = lshr i32 %a, %amount
  ret i32 %shifted
}

define i32 @invalid_shift_base__shl(i32 %a) noinline {
  %shifted = shl nsw i32 1073741824, %a
  ret i32 %shifted
}

define i32 @ok__shift(i32 %a) noinline {
  %amount = add i32 %a, 29
  %shifted = shl nuw i32 1, %amount
  %back = ashr i32 %shifted, %amount
  ret i32 %back
}

define i32 @float_cast_overflow__fptoui(i32 %a) noinline {
  %float = uitofp i32 %a to float
  %negative = fneg float %float
  %converted = fptoui float %negative to i32
  ret i32 %converted
}

define i32 @float_cast_overflow__fptosi(i32 %a) noinline {
  %double = uitofp i32 %a to double
  %big = fmul double %double, 1.0e+09
  %bigger = fmul double %big, 1.5e+00
  %converted = fptosi double %bigger to i32
  ret i32 %converted
}

define i32 @ok__conversion(i32 %a) noinline {
  %double = uitofp i32 %a to double
  %big = fmul double %double, -1073741824.25
  %converted = fptosi double %big to i32
  ret i32 %converted
}

define i32 @signed_integer_overflow__vector(i32 %a) noinline {
  %one = insertelement <4 x i32> poison, i32 %a, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %sum = add nsw <4 x i32> %all, <i32 1, i32 7, i32 2147483647, i32 9>
  store <4 x i32> %sum, ptr @bytes, align 16
  ret i32 0
}

define i32 @integer_divide_by_zero__vector_stored(i32 %a) noinline {
  store i64 8589934593, ptr @cell, align 8
  %safe = load <2 x i32>, ptr @cell, align 8
  %quotient = udiv <2 x i32> %safe, <i32 1, i32 1>
  store <2 x i32> %quotient, ptr @cell, align 8
  %unsafe = sub <2 x i32> %quotient, <i32 1, i32 0>
  %rest = urem <2 x i32> %safe, %unsafe
  store <2 x i32> %rest, ptr @cell, align 8
  ret i32 0
}

define i32 @invalid_shift_exponent__vector(i32 %a) noinline {
  %one = insertelement <4 x i32> poison, i32 %a, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %shifted = lshr <4 x i32> <i32 7, i32 7, i32 7, i32 7>, %all
  store <4 x i32> %shifted, ptr @bytes, align 16
  %far = mul <4 x i32> %all, <i32 1, i32 1, i32 1, i32 16>
  %gone = lshr <4 x i32> <i32 7, i32 7, i32 7, i32 7>, %far
  store <4 x i32> %gone, ptr @bytes, align 16
  ret i32 0
}

define i32 @float_cast_overflow__vector(i32 %a) noinline {
  %one = insertelement <2 x i32> poison, i32 %a, i64 0
  %all = shufflevector <2 x i32> %one, <2 x i32> poison, <2 x i32> zeroinitializer
  %floats = uitofp <2 x i32> %all to <2 x float>
  %big = fmul <2 x float> %floats, <float 3.0e+00, float 2.0e+09>
  %converted = fptosi <2 x float> %big to <2 x i32>
  store <2 x i32> %converted, ptr @bytes, align 8
  ret i32 0
}

define i32 @ok__vector(i32 %a) noinline {
  %one = insertelement <4 x i32> poison, i32 %a, i64 0
  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer
  %sum = add nsw <4 x i32> %all, <i32 1, i32 7, i32 2147483645, i32 9>
  %quotient = sdiv <4 x i32> %sum, %all
  %shifted = shl nuw nsw <4 x i32> %all, <i32 1, i32 2, i32 3, i32 4>
  store <4 x i32> %quotient, ptr @bytes, align 16
  store <4 x i32> %shifted, ptr @bytes, align 16
  ret i32 0
}

define i32 @ok__vector_with_gaps(i32 %a) noinline {
  %one = insertelement <4 x i32> poison, i32 %a, i64 0
  %wrapped = add nsw <4 x i32> %one, <i32 1, i32 2147483647, i32 2147483647, i32 2147483647>
  %two = shufflevector <4 x i32> %wrapped, <4 x i32> poison, <4 x i32> <i32 0, i32 0, i32 poison, i32 poison>
  %more = add nsw <4 x i32> %two, <i32 1, i32 1, i32 2147483647, i32 2147483647>
  store <4 x i32> %more, ptr @bytes, align 16
  ret i32 0
}

define i32 @signed_integer_overflow__wide(i32 %a) noinline {
  %wide = zext i32 %a to i128
  %high = shl i128 %wide, 125
  %product = mul nsw i128 %high, 2
  %back = lshr i128 %product, 120
  %result = trunc i128 %back to i32
  ret i32 %result
}

define i32 @unsigned_integer_overflow__bits100(i32 %a) noinline {
  %wide = zext i32 %a to i100
  %difference = sub nuw i100 %wide, 3
  store i100 %difference, ptr @bytes, align 16
  ret i32 0
}

define i32 @integer_divide_by_zero__wide(i32 %a) noinline {
  %wide = zext i32 %a to i128
  %zero = sub i128 %wide, 2
  %is.zero = icmp eq i128 %zero, 0
  %safe = select i1 %is.zero, i128 %zero, i128 1
  %quotient = udiv i128 5, %safe
  store i128 %quotient, ptr @bytes, align 16
  ret i32 0
}

define i32 @invalid_shift_exponent__wide(i32 %a) noinline {
  %wide = zext i32 %a to i128
  %amount = mul i128 %wide, 64
  %shifted = shl i128 %wide, %amount
  store i128 %shifted, ptr @bytes, align 16
  ret i32 0
}

define i32 @ok__wide(i32 %a) noinline {
  %wide = zext i32 %a to i128
  %high = shl nuw nsw i128 %wide, 124
  %sum = add nuw nsw i128 %high, %wide
  %quotient = sdiv i128 %sum, %wide
  store i128 %quotient, ptr @bytes, align 16
  ret i32 0
}

define i32 @float_cast_overflow__x87(i32 %a) noinline {
  %number = uitofp i32 %a to x86_fp80
  %big = fmul x86_fp80 %number, 0xK403D8000000000000000
  %converted = fptosi x86_fp80 %big to i64
  store i64 %converted, ptr @cell, align 8
  ret i32 0
}

define i32 @float_cast_overflow__half(i32 %a) noinline {
  %number = uitofp i32 %a to half
  %big = fmul half %number, 0xH5800
  %converted = fptoui half %big to i8
  %wide = zext i8 %converted to i32
  ret i32 %wide
}

define i32 @ok__x87(i32 %a) noinline {
  %number = uitofp i32 %a to x86_fp80
  %big = fmul x86_fp80 %number, 0xKC03CFFFFFFFFFFFFFFFF
  %converted = fptosi x86_fp80 %big to i64
  store i64 %converted, ptr @cell, align 8
  ret i32 0
}

define i32 @misaligned_pointer_use__load(i32 %a) noinline {
  %at = getelementptr i8, ptr @bytes, i32 %a
  %value = load i64, ptr %at, align 8
  ret i32 0
}

define i32 @misaligned_pointer_use__constant_place(i32 %a) noinline {
  %variable = alloca [8 x i8], align 8
  %at = getelementptr i8, ptr %variable, i64 2
  store i32 %a, ptr %at, align 4
  ret i32 0
}

define i32 @ok__alignment(i32 %a) noinline {
  %variable = alloca [8 x i8], align 8
  %at = getelementptr i8, ptr %variable, i64 4
  store i32 %a, ptr %at, align 4
  %anywhere = getelementptr i8, ptr @bytes, i32 %a
  %value = load i32, ptr %anywhere, align 1
  ret i32 %value
}

define i32 @invalid_bool_load__range(i32 %a) noinline {
  %value = load i8, ptr @bytes, align 1, !range !0, !noundef !1
  %wide = zext i8 %value to i32
  ret i32 %wide
}

define i32 @invalid_enum_load__range(i32 %a) noinline {
  %value = load i32, ptr @bytes, align 4, !range !2
  ret i32 %value
}

define i32 @ok__range(i32 %a) noinline {
  %value = load i32, ptr @bytes, align 4, !range !3
  ret i32 %value
}

define ptr @nullptr_with_nonzero_offset__gep(i32 %a) noinline {
  %number = sub i32 %a, 2
  %null = inttoptr i32 %number to ptr
  %at = getelementptr inbounds i8, ptr %null, i64 16
  ret ptr %at
}

define ptr @pointer_overflow__gep(i32 %a) noinline {
  %top = inttoptr i64 -12 to ptr
  %at = getelementptr inbounds i64, ptr %top, i32 %a
  %behind = getelementptr inbounds i64, ptr %at, i32 %a
  ret ptr %behind
}

define ptr @nullptr_after_nonzero_offset__gep(i32 %a) noinline {
  %top = inttoptr i64 -2 to ptr
  %at = getelementptr inbounds i8, ptr %top, i32 %a
  ret ptr %at
}

define ptr @ok__gep(i32 %a) noinline {
  %at = getelementptr inbounds i64, ptr @bytes, i32 %a
  %before = getelementptr inbounds i64, ptr %at, i32 -1
  ret ptr %before
}

define void @takes(ptr nonnull noundef %pointer) noinline {
  ret void
}

define void @may_take(ptr nonnull %pointer) noinline {
  ret void
}

define i32 @invalid_null_argument__call(i32 %a) noinline {
  %number = sub i32 %a, 2
  %null = inttoptr i32 %number to ptr
  call void @takes(ptr nonnull noundef %null)
  ret i32 0
}

define i32 @ok__poison_argument(i32 %a) noinline {
  %number = sub i32 %a, 2
  %null = inttoptr i32 %number to ptr
  call void @may_take(ptr nonnull %null)
  call void @takes(ptr nonnull noundef @bytes)
  ret i32 0
}

define nonnull noundef ptr @invalid_null_return__ret(i32 %a) noinline {
  %number = sub i32 %a, 2
  %null = inttoptr i32 %number to ptr
  ret ptr %null
}

define i32 @null_pointer_use__store(i32 %a) noinline "null-pointer-is-valid"="false" {
  %number = sub i32 %a, 2
  %null = inttoptr i32 %number to ptr
  store i32 7, ptr %null, align 4
  ret i32 0
}

define i32 @ok__null_is_valid(i32 %a) noinline null_pointer_is_valid {
  %number = sub i32 %a, 2
  %null = inttoptr i32 %number to ptr
  %at = getelementptr inbounds i8, ptr %null, i64 16
  %address = ptrtoint ptr %at to i64
  store i64 %address, ptr @cell, align 8
  ret i32 0
}

define i32 @unreachable_call__end(i32 %a) noinline {
  %is.two = icmp eq i32 %a, 2
  br i1 %is.two, label %two, label %other
two:
  unreachable
other:
  ret i32 1
}

define i32 @main(i32 %argc, ptr %argv) {
  %which.text = getelementptr ptr, ptr %argv, i64 1
  %text = load ptr, ptr %which.text, align 8
  %which = call i32 @atoi(ptr %text)
  switch i32 %which, label %end [ CASES ]
BLOCKS
end:
  ret i32 0
}

declare i32 @atoi(ptr)

!0 = !{i8 0, i8 2}
!1 = !{}
!2 = !{i32 -7, i32 -3, i32 5, i32 9}
!3 = !{i32 1, i32 3, i32 5, i32 9}
