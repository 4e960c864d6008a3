; Constants and constant expressions, wide integers, every floating-point kind.
%pair = type { i32, [2 x i16] }
@a = global [4 x i32] [i32 1, i32 -2, i32 2147483647, i32 -2147483648]
@b = global i128 -170141183460469231731687303715884105728
@b2 = global i256 57896044618658097711785492504343953926634992332820282019728792003956564819967
@b3 = global i1 true
@b4 = global i3 -4
@b5 = global i64 -9223372036854775808
@b6 = global [2 x i1] [i1 true, i1 false]
@b7 = global i65 18446744073709551616
@c = global float 0x3FB99999A0000000
@c1 = global float 0x7FF8000020000000
@c2 = global float 0x7FF0000000000000
@c3 = global float 0x36A0000000000000
@c4 = global double 0x7FF0000000000001
@c5 = global half 0xH3C01
@c6 = global bfloat 0xR3F80
@c7 = global x86_fp80 0xK4000C8F5C28F5C28F5C3
@c8 = global fp128 0xL00000000000000004000900000000000
@c9 = global ppc_fp128 0xM40000000000000003CB0000000000000
@c10 = global double -0.0
@c11 = global [2 x double] [double 1.0, double -2.5]
@c12 = global [3 x half] [half 0xH0000, half 0xH7C00, half 0xHFE01]
@c13 = global <2 x float> <float 1.0, float 0x7FF8000020000000>
@d = global [5 x i8] c"a\00\22\5C\FF"
@d1 = global [2 x i8] zeroinitializer
@d2 = global [2 x i8] undef
@d3 = global [2 x i8] poison
@d4 = global <4 x i8> <i8 1, i8 2, i8 3, i8 -1>
@d5 = global [2 x i16] [i16 -1, i16 5]
@e = global %pair { i32 7, [2 x i16] [i16 1, i16 2] }
@e1 = global { i8, <{ i16, i8 }> } { i8 1, <{ i16, i8 }> <{ i16 2, i8 3 }> }
@e2 = global {} zeroinitializer
@e3 = global [0 x i32] zeroinitializer
@e4 = global [2 x ptr] [ptr @a, ptr null]
@e5 = global <2 x ptr> <ptr @a, ptr @b>
@e6 = global <4 x i32> splat (i32 7)
@e7 = global [2 x [2 x i32]] [[2 x i32] [i32 1, i32 2], [2 x i32] zeroinitializer]
@e8 = global { ptr, i32 } { ptr undef, i32 poison }
@f = global ptr getelementptr inbounds ([4 x i32], ptr @a, i64 0, i64 2)
@f1 = global ptr getelementptr inbounds nuw (i8, ptr @a, i64 4)
@f2 = global ptr getelementptr nusw nuw (i8, ptr @a, i64 4)
@f3 = global ptr getelementptr (i8, ptr @a, i64 -4)
@f4 = global ptr getelementptr inbounds inrange(-8, 16) ([4 x i32], ptr @a, i64 0, i64 2)
@f5 = global i64 ptrtoint (ptr @a to i64)
@f6 = global ptr inttoptr (i64 4096 to ptr)
@f7 = global i32 trunc (i64 ptrtoint (ptr @a to i64) to i32)
@f8 = global i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @b to i64))
@f9 = global i64 add nuw nsw (i64 ptrtoint (ptr @a to i64), i64 3)
@f10 = global i64 xor (i64 ptrtoint (ptr @a to i64), i64 -1)
@f11 = global ptr addrspacecast (ptr addrspace(1) @g to ptr)
@f12 = global i32 trunc (i64 sub (i64 ptrtoint (ptr @fn to i64), i64 ptrtoint (ptr @f12 to i64)) to i32)
@f13 = global <2 x ptr> getelementptr (i8, <2 x ptr> <ptr @a, ptr @b>, <2 x i64> <i64 1, i64 2>)
@f14 = global i64 ptrtoaddr (ptr @a to i64)
@g = addrspace(1) global i32 0
@h = global ptr dso_local_equivalent @fn
@h1 = global ptr no_cfi @fn
@h2 = global ptr blockaddress(@fn, %second)
@h3 = global ptr blockaddress(@later, %1)
@i1 = global ptr ptrauth (ptr @fn, i32 0)
@i2 = global ptr ptrauth (ptr @fn, i32 2, i64 1234)
@i3 = global ptr ptrauth (ptr @fn, i32 1, i64 65535, ptr @i3)
@v1 = global <2 x i64> splat (i64 -1)
@v2 = global <2 x i1> <i1 true, i1 false>

define i64 @fn(i64 %x) {
  br label %second
second:
  %y = add i64 %x, ptrtoint (ptr @a to i64)
  %z = add i64 %y, ptrtoint (ptr blockaddress(@fn, %second) to i64)
  ret i64 %z
}

define void @later(ptr %p) {
  br label %1
1:
  %2 = load i256, ptr %p, align 8
  %3 = add i256 %2, 340282366920938463463374607431768211456
  store i256 %3, ptr %p
  store <vscale x 2 x i64> zeroinitializer, ptr %p
  store <vscale x 2 x i64> splat (i64 3), ptr %p
  store <vscale x 2 x ptr> splat (ptr @a), ptr %p
  store <4 x float> splat (float 1.0), ptr %p
  indirectbr ptr %p, [label %1, label %4]
4:
  ret void
}
