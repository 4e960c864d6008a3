; Vectors from many addresses and to them: a function for each kind. Its first argument is a block of
; 64 bytes of which the first 32 are set, its second a number: 0 when all is right, else 32, the
; distance to what was never set.

declare ptr @malloc(i64)
declare ptr @memfrob(ptr, i64)
declare i64 @strtol(ptr, ptr, i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, i32, <4 x i1>)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
declare <4 x i32> @llvm.masked.expandload.v4i32(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.masked.compressstore.v4i32(<4 x i32>, ptr, <4 x i1>)

define <4 x ptr> @lanes(ptr %block, i64 %far) noinline {
  %there = getelementptr i8, ptr %block, i64 %far
  %unset = getelementptr i8, ptr %block, i64 40
  %a = insertelement <4 x ptr> poison, ptr %block, i32 0
  %b = insertelement <4 x ptr> %a, ptr %unset, i32 1
  %c = insertelement <4 x ptr> %b, ptr %there, i32 2
  %d = insertelement <4 x ptr> %c, ptr null, i32 3
  ret <4 x ptr> %d
}

define <4 x i1> @mask() noinline {
  ret <4 x i1> <i1 true, i1 false, i1 true, i1 false>
}

define void @use(i32 %value) noinline {
  %is.big = icmp ugt i32 %value, 7
  br i1 %is.big, label %end, label %end
end:
  ret void
}

define void @use_lanes(<4 x i32> %v) noinline {
  %a = extractelement <4 x i32> %v, i32 0
  call void @use(i32 %a)
  %c = extractelement <4 x i32> %v, i32 2
  call void @use(i32 %c)
  ret void
}

define void @gather(ptr %block, i64 %far) noinline {
  %at = call <4 x ptr> @lanes(ptr %block, i64 %far)
  %mask = call <4 x i1> @mask()
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(
      <4 x ptr> %at, i32 4, <4 x i1> %mask, <4 x i32> undef)
  call void @use_lanes(<4 x i32> %v)
  ret void
}

define void @scatter(ptr %block, i64 %far) noinline {
  %there = getelementptr i8, ptr %block, i64 %far
  %v = load <4 x i32>, ptr %there, align 4
  %at = call <4 x ptr> @lanes(ptr %block, i64 8)
  call void @llvm.masked.scatter.v4i32.v4p0(
      <4 x i32> %v, <4 x ptr> %at, i32 4, <4 x i1> <i1 true, i1 false, i1 true, i1 false>)
  %again = getelementptr i8, ptr %block, i64 8
  %stored = load i32, ptr %again
  call void @use(i32 %stored)
  ret void
}

define void @addresses(ptr %block, i64 %far) noinline {
  %there = getelementptr i8, ptr %block, i64 %far
  %index = load <4 x i8>, ptr %there, align 1
  %few = and <4 x i8> %index, <i8 3, i8 3, i8 3, i8 3>
  %at = getelementptr i32, ptr %block, <4 x i8> %few
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %at, i32 4,
      <4 x i1> <i1 true, i1 false, i1 true, i1 false>, <4 x i32> zeroinitializer)
  ret void
}

define void @mask_of_store(ptr %block, i64 %far) noinline {
  %there = getelementptr i8, ptr %block, i64 %far
  %bits = load <4 x i8>, ptr %there, align 1
  %mask = icmp sgt <4 x i8> %bits, zeroinitializer
  call void @llvm.masked.store.v4i32.p0(
      <4 x i32> zeroinitializer, ptr %block, i32 4, <4 x i1> %mask)
  ret void
}

define void @masked(ptr %block, i64 %far) noinline {
  %there = getelementptr i8, ptr %block, i64 %far
  %mask = call <4 x i1> @mask()
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(
      ptr %there, i32 4, <4 x i1> %mask, <4 x i32> undef)
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %block, i32 4, <4 x i1> %mask)
  %w = load <4 x i32>, ptr %block, align 4
  call void @use_lanes(<4 x i32> %w)
  ret void
}

define void @row(ptr %block, i64 %far) noinline {
  %there = getelementptr i8, ptr %block, i64 %far
  %mask = call <4 x i1> @mask()
  %v = call <4 x i32> @llvm.masked.expandload.v4i32(
      ptr %there, <4 x i1> %mask, <4 x i32> undef)
  call void @llvm.masked.compressstore.v4i32(<4 x i32> %v, ptr %block, <4 x i1> %mask)
  %w = load <4 x i32>, ptr %block, align 4
  call void @use_lanes(<4 x i32> %w)
  ret void
}

; A library that tells nothing has written what the lanes are loaded from.
define void @natively(ptr %block, i64 %far) noinline {
  %unset = getelementptr i8, ptr %block, i64 32
  %n = sub i64 32, %far
  call ptr @memfrob(ptr %unset, i64 %n)
  %at = call <4 x ptr> @lanes(ptr %unset, i64 8)
  %mask = call <4 x i1> @mask()
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(
      <4 x ptr> %at, i32 4, <4 x i1> %mask, <4 x i32> undef)
  call void @use_lanes(<4 x i32> %v)
  %w = call <4 x i32> @llvm.masked.load.v4i32.p0(
      ptr %unset, i32 4, <4 x i1> %mask, <4 x i32> undef)
  call void @use_lanes(<4 x i32> %w)
  ret void
}

define i32 @main(i32 %argc, ptr %argv) {
  %block = call ptr @malloc(i64 64)
  call void @llvm.memset.p0.i64(ptr %block, i8 1, i64 32, i1 false)
  %second = getelementptr ptr, ptr %argv, i64 1
  %text = load ptr, ptr %second
  %which = call i64 @strtol(ptr %text, ptr null, i32 10)
  %is.near = icmp eq i32 %argc, 2
  %far = select i1 %is.near, i64 0, i64 32
  switch i64 %which, label %end [ CASES ]
BLOCKS
end:
  ret i32 0
}
