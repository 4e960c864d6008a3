; Accesses to many addresses at once, lanes chosen at run time, structures in registers: a function
; for each. Its first argument is a block of 32 bytes, its second a number: 0 when all is right,
; else how many bytes it is from that block into one of 4000.

declare ptr @calloc(i64, i64)
declare i64 @strtol(ptr, ptr, i32)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, i32, <4 x i1>)
declare <2 x ptr> @llvm.masked.gather.v2p0.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x ptr>)
declare void @llvm.masked.scatter.v2p0.v2p0(<2 x ptr>, <2 x ptr>, i32, <2 x i1>)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
declare <2 x ptr> @llvm.masked.load.v2p0.p0(ptr, i32, <2 x i1>, <2 x ptr>)
declare void @llvm.masked.store.v2p0.p0(<2 x ptr>, ptr, i32, <2 x i1>)
declare <4 x i32> @llvm.masked.expandload.v4i32(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.masked.compressstore.v4i32(<4 x i32>, ptr, <4 x i1>)
declare <4 x ptr> @llvm.masked.expandload.v4p0(ptr, <4 x i1>, <4 x ptr>)
declare void @llvm.masked.compressstore.v4p0(<4 x ptr>, ptr, <4 x i1>)
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)

define <4 x ptr> @lanes(ptr %block, i64 %far) noinline {
  %there = getelementptr i8, ptr %block, i64 %far
  %a = insertelement <4 x ptr> poison, ptr %block, i32 0
  %b = insertelement <4 x ptr> %a, ptr null, i32 1
  %c = insertelement <4 x ptr> %b, ptr %there, i32 2
  %d = insertelement <4 x ptr> %c, ptr %block, i32 3
  ret <4 x ptr> %d
}

define <4 x i1> @mask() noinline {
  ret <4 x i1> <i1 true, i1 false, i1 true, i1 false>
}

define void @gather(ptr %block, i64 %far) noinline {
  %at = call <4 x ptr> @lanes(ptr %block, i64 %far)
  %mask = call <4 x i1> @mask()
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(
      <4 x ptr> %at, i32 4, <4 x i1> %mask, <4 x i32> zeroinitializer)
  ret void
}

define void @gather_constant(ptr %block, i64 %far) noinline {
  %at = call <4 x ptr> @lanes(ptr %block, i64 %far)
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(
      <4 x ptr> %at, i32 4, <4 x i1> <i1 true, i1 false, i1 true, i1 true>,
      <4 x i32> zeroinitializer)
  ret void
}

define void @gather_other_lanes(ptr %block, i64 %far) noinline {
  %at = call <4 x ptr> @lanes(ptr %block, i64 9999)
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(
      <4 x ptr> %at, i32 4, <4 x i1> <i1 true, i1 false, i1 false, i1 true>,
      <4 x i32> zeroinitializer)
  %p = getelementptr i8, ptr %block, i64 %far
  %w = load i32, ptr %p
  ret void
}

define void @scatter(ptr %block, i64 %far) noinline {
  %at = call <4 x ptr> @lanes(ptr %block, i64 %far)
  %mask = call <4 x i1> @mask()
  call void @llvm.masked.scatter.v4i32.v4p0(
      <4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x ptr> %at, i32 4, <4 x i1> %mask)
  ret void
}

define void @load(ptr %block, i64 %far) noinline {
  %there = getelementptr i8, ptr %block, i64 %far
  %begin = getelementptr i8, ptr %there, i64 24
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(
      ptr %begin, i32 4, <4 x i1> <i1 true, i1 true, i1 false, i1 false>, <4 x i32> zeroinitializer)
  ret void
}

define void @store(ptr %block, i64 %far) noinline {
  %there = getelementptr i8, ptr %block, i64 %far
  %begin = getelementptr i8, ptr %there, i64 -4
  call void @llvm.masked.store.v4i32.p0(
      <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %begin, i32 4,
      <4 x i1> <i1 false, i1 true, i1 true, i1 true>)
  ret void
}

define void @row(ptr %block, i64 %far) noinline {
  %there = getelementptr i8, ptr %block, i64 %far
  %begin = getelementptr i8, ptr %there, i64 24
  %mask = call <4 x i1> @mask()
  %v = call <4 x i32> @llvm.masked.expandload.v4i32(
      ptr %begin, <4 x i1> %mask, <4 x i32> zeroinitializer)
  call void @llvm.masked.compressstore.v4i32(<4 x i32> %v, ptr %block, <4 x i1> %mask)
  ret void
}

; Pointers go through memory by one of these accesses, and come back by another.
define void @pointers_scattered(ptr %block, i64 %far) noinline {
  %second = getelementptr i8, ptr %block, i64 16
  %a = insertelement <2 x ptr> poison, ptr %block, i32 0
  %at = insertelement <2 x ptr> %a, ptr %second, i32 1
  %b = insertelement <2 x ptr> poison, ptr null, i32 0
  %values = insertelement <2 x ptr> %b, ptr %block, i32 1
  call void @llvm.masked.scatter.v2p0.v2p0(
      <2 x ptr> %values, <2 x ptr> %at, i32 8, <2 x i1> <i1 true, i1 true>)
  %pair = call <2 x ptr> @llvm.masked.gather.v2p0.v2p0(
      <2 x ptr> %at, i32 8, <2 x i1> <i1 false, i1 true>, <2 x ptr> zeroinitializer)
  %again = extractelement <2 x ptr> %pair, i32 1
  %there = getelementptr i8, ptr %again, i64 %far
  %v = load i32, ptr %there
  ret void
}

define void @pointers_in_a_row(ptr %block, i64 %far) noinline {
  %mask = call <4 x i1> @mask()
  %half = shufflevector <4 x i1> %mask, <4 x i1> poison, <2 x i32> <i32 0, i32 2>
  %a = insertelement <2 x ptr> poison, ptr %block, i32 0
  %values = insertelement <2 x ptr> %a, ptr %block, i32 1
  call void @llvm.masked.store.v2p0.p0(<2 x ptr> %values, ptr %block, i32 8, <2 x i1> %half)
  %pair = call <2 x ptr> @llvm.masked.load.v2p0.p0(
      ptr %block, i32 8, <2 x i1> %half, <2 x ptr> zeroinitializer)
  %again = extractelement <2 x ptr> %pair, i32 1
  %there = getelementptr i8, ptr %again, i64 %far
  %v = load i32, ptr %there
  ret void
}

define i32 @one() noinline {
  ret i32 1
}

define void @lane_taken(ptr %block, i64 %far) noinline {
  %other = call ptr @calloc(i64 1, i64 8)
  %a = insertelement <2 x ptr> poison, ptr %other, i32 0
  %pair = insertelement <2 x ptr> %a, ptr %block, i32 1
  %n = call i32 @one()
  %p = extractelement <2 x ptr> %pair, i32 %n
  %end = getelementptr i8, ptr %p, i64 28
  %there = getelementptr i8, ptr %end, i64 %far
  %v = load i32, ptr %there
  ret void
}

define void @lane_put(ptr %block, i64 %far) noinline {
  %other = call ptr @calloc(i64 1, i64 8)
  %a = insertelement <2 x ptr> poison, ptr %other, i32 0
  %both = insertelement <2 x ptr> %a, ptr %other, i32 1
  %n = call i32 @one()
  %pair = insertelement <2 x ptr> %both, ptr %block, i32 %n
  %p = extractelement <2 x ptr> %pair, i32 1
  %end = getelementptr i8, ptr %p, i64 28
  %there = getelementptr i8, ptr %end, i64 %far
  %v = load i32, ptr %there
  ret void
}

define i32 @of_structure({ i64, [2 x { i8, ptr }] } %s, i64 %far) noinline {
  %p = extractvalue { i64, [2 x { i8, ptr }] } %s, 1, 1, 1
  %there = getelementptr i8, ptr %p, i64 %far
  %v = load i32, ptr %there
  ret i32 %v
}

define void @structure(ptr %block, i64 %far) noinline {
  %other = call ptr @calloc(i64 1, i64 8)
  %a = insertvalue { i64, [2 x { i8, ptr }] } zeroinitializer, ptr %other, 1, 0, 1
  %s = insertvalue { i64, [2 x { i8, ptr }] } %a, ptr %block, 1, 1, 1
  %v = call i32 @of_structure({ i64, [2 x { i8, ptr }] } %s, i64 %far)
  ret void
}

define [5 x ptr] @five(ptr %block) noinline {
  %five = insertvalue [5 x ptr] zeroinitializer, ptr %block, 4
  ret [5 x ptr] %five
}

define void @array(ptr %block, i64 %far) noinline {
  %five = call [5 x ptr] @five(ptr %block)
  %p = extractvalue [5 x ptr] %five, 4
  %there = getelementptr i8, ptr %p, i64 %far
  %v = load i32, ptr %there
  ret void
}

define void @rows_of_pointers(ptr %block, i64 %far) noinline {
  %other = call ptr @calloc(i64 1, i64 8)
  %row = call ptr @calloc(i64 4, i64 8)
  %a = insertelement <4 x ptr> zeroinitializer, ptr %other, i32 0
  %four = insertelement <4 x ptr> %a, ptr %block, i32 2
  %mask = call <4 x i1> @mask()
  call void @llvm.masked.compressstore.v4p0(<4 x ptr> %four, ptr %row, <4 x i1> %mask)
  %again = call <4 x ptr> @llvm.masked.expandload.v4p0(
      ptr %row, <4 x i1> <i1 false, i1 true, i1 false, i1 true>, <4 x ptr> zeroinitializer)
  %p = extractelement <4 x ptr> %again, i32 3
  %there = getelementptr i8, ptr %p, i64 %far
  %v = load i32, ptr %there
  ret void
}

define void @row_of_pointers(ptr %block, i64 %far) noinline {
  %row = call ptr @calloc(i64 4, i64 8)
  %second = getelementptr ptr, ptr %row, i64 1
  store ptr %block, ptr %second
  %mask = call <4 x i1> @mask()
  %four = call <4 x ptr> @llvm.masked.expandload.v4p0(
      ptr %row, <4 x i1> %mask, <4 x ptr> zeroinitializer)
  call void @llvm.masked.compressstore.v4p0(
      <4 x ptr> %four, ptr %row, <4 x i1> <i1 false, i1 true, i1 true, i1 false>)
  %p = load ptr, ptr %second
  %there = getelementptr i8, ptr %p, i64 %far
  %v = load i32, ptr %there
  ret void
}

define ptr @last(i32 %count, ...) noinline {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  br label %loop
loop:
  %n = phi i32 [ %count, %0 ], [ %left, %loop ]
  %p = va_arg ptr %list, ptr
  %i = va_arg ptr %list, i64
  %left = sub i32 %n, 1
  %more = icmp ne i32 %left, 0
  br i1 %more, label %loop, label %end
end:
  call void @llvm.va_end.p0(ptr %list)
  ret ptr %p
}

define void @va_arg_in_register(ptr %block, i64 %far) noinline {
  %p = call ptr (i32, ...) @last(i32 1, ptr %block, i64 1)
  %there = getelementptr i8, ptr %p, i64 %far
  %v = load i32, ptr %there
  ret void
}

define void @va_arg_on_stack(ptr %block, i64 %far) noinline {
  %other = call ptr @calloc(i64 1, i64 8)
  %p = call ptr (i32, ...) @last(
      i32 4, ptr %other, i64 1, ptr %other, i64 2, ptr %other, i64 3, ptr %block, i64 4)
  %there = getelementptr i8, ptr %p, i64 %far
  %v = load i32, ptr %there
  ret void
}

define void @exchanged(ptr %block, i64 %far) noinline {
  %place = call ptr @calloc(i64 1, i64 8)
  %null = atomicrmw xchg ptr %place, ptr %block seq_cst
  %p = atomicrmw xchg ptr %place, ptr null seq_cst
  %there = getelementptr i8, ptr %p, i64 %far
  %v = load i32, ptr %there
  ret void
}

define void @compared(ptr %block, i64 %far) noinline {
  %other = call ptr @calloc(i64 1, i64 8)
  %place = call ptr @calloc(i64 1, i64 8)
  %done = cmpxchg ptr %place, ptr null, ptr %block seq_cst seq_cst
  %failed = cmpxchg ptr %place, ptr null, ptr %other seq_cst seq_cst
  %p = extractvalue { ptr, i1 } %failed, 0
  %again = load atomic ptr, ptr %place seq_cst, align 8
  store atomic ptr %again, ptr %other release, align 8
  %q = load ptr, ptr %other
  %is.same = icmp eq ptr %p, %q
  %chosen = select i1 %is.same, ptr %q, ptr %other
  %there = getelementptr i8, ptr %chosen, i64 %far
  %v = load i32, ptr %there
  ret void
}

define void @exchanged_numbers(ptr %block, i64 %far) noinline {
  %place = call ptr @calloc(i64 1, i64 8)
  %here = ptrtoint ptr %block to i64
  store atomic i64 %here, ptr %place release, align 8
  %first = load atomic i64, ptr %place monotonic, align 8
  br label %loop
loop:
  %old = phi i64 [ %first, %0 ], [ %seen, %loop ]
  %pair = cmpxchg weak ptr %place, i64 %old, i64 0 seq_cst monotonic
  %seen = extractvalue { i64, i1 } %pair, 0
  %done = extractvalue { i64, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  %p = inttoptr i64 %old to ptr
  %there = getelementptr i8, ptr %p, i64 %far
  %v = load i32, ptr %there
  ret void
}

define void @packed(ptr %block, i64 %far) noinline {
  %place = call ptr @calloc(i64 40, i64 1)
  %odd = getelementptr i8, ptr %place, i64 3
  store ptr %block, ptr %odd, align 1
  store i8 1, ptr %place
  %other = getelementptr i8, ptr %place, i64 21
  %other.begin = getelementptr i8, ptr %place, i64 20
  %odd.begin = getelementptr i8, ptr %place, i64 2
  call void @llvm.memcpy.p0.p0.i64(ptr %other.begin, ptr %odd.begin, i64 10, i1 false)
  %p = load ptr, ptr %other, align 1
  %there = getelementptr i8, ptr %p, i64 %far
  %v = load i32, ptr %there
  ret void
}

define void @words_of_a_pair(ptr %block, i64 %far) noinline "target-features"="+cx16" {
  %place = call ptr @calloc(i64 2, i64 16)
  %kept = call ptr @calloc(i64 1, i64 16)
  store ptr %block, ptr %kept, align 8
  %begin = load i64, ptr %kept, align 8
  %low = zext i64 7 to i128
  %wide = zext i64 %begin to i128
  %high = shl nuw i128 %wide, 64
  %made = or disjoint i128 %high, %low
  %none = load atomic i128, ptr %place monotonic, align 16
  %pair = cmpxchg ptr %place, i128 %none, i128 %made seq_cst monotonic, align 16
  %swapped = atomicrmw xchg ptr %place, i128 0 seq_cst, align 16
  store i128 %swapped, ptr %kept, align 8
  %read = load i128, ptr %kept, align 8
  %moved = lshr i128 %read, 64
  %lanes = bitcast i128 %moved to <2 x i64>
  %number = extractelement <2 x i64> %lanes, i32 0
  %p = inttoptr i64 %number to ptr
  %there = getelementptr i8, ptr %p, i64 %far
  %v = load i32, ptr %there
  ret void
}

define void @lanes_of_numbers(ptr %block, i64 %far) noinline {
  %place = call ptr @calloc(i64 2, i64 16)
  store ptr %block, ptr %place, align 8
  %two = load <2 x i64>, ptr %place, align 8
  %turned = shufflevector <2 x i64> %two, <2 x i64> poison, <4 x i32> <i32 1, i32 poison, i32 1, i32 0>
  br label %next
next:
  %four = phi <4 x i64> [ %turned, %0 ]
  %set = insertelement <4 x i64> %four, i64 5, i32 0
  %many = inttoptr <4 x i64> %set to <4 x ptr>
  %p = extractelement <4 x ptr> %many, i32 3
  store <4 x i64> %set, ptr %place, align 8
  %third = getelementptr i8, ptr %place, i64 24
  %q = load ptr, ptr %third, align 8
  %is.same = icmp eq ptr %p, %q
  %chosen = select i1 %is.same, ptr %q, ptr null
  %there = getelementptr i8, ptr %chosen, i64 %far
  %v = load i32, ptr %there
  ret void
}

define void @lanes_of_addresses(ptr %block, i64 %far) noinline {
  %a = insertelement <2 x ptr> poison, ptr %block, i32 1
  %b = insertelement <2 x ptr> %a, ptr null, i32 0
  %numbers = ptrtoint <2 x ptr> %b to <2 x i64>
  %whole = bitcast <2 x i64> %numbers to i128
  %frozen = freeze i128 %whole
  %wider = zext i128 %frozen to i256
  %up = shl i256 %wider, 64
  %down = trunc i256 %up to i192
  %last = lshr i192 %down, 128
  %number = trunc i192 %last to i64
  %p = inttoptr i64 %number to ptr
  %there = getelementptr i8, ptr %p, i64 %far
  %v = load i32, ptr %there
  ret void
}

define void @moved_onto_itself(ptr %block, i64 %far) noinline {
  %place = call ptr @calloc(i64 6, i64 8)
  %second = getelementptr i8, ptr %place, i64 8
  %third = getelementptr i8, ptr %place, i64 16
  store ptr %block, ptr %second, align 8
  store ptr %place, ptr %third, align 8
  %odd = getelementptr i8, ptr %place, i64 13
  call void @llvm.memmove.p0.p0.i64(ptr %odd, ptr %second, i64 16, i1 false)
  %lower = getelementptr i8, ptr %place, i64 6
  call void @llvm.memmove.p0.p0.i64(ptr %lower, ptr %odd, i64 16, i1 false)
  %p = load ptr, ptr %lower, align 1
  %there = getelementptr i8, ptr %p, i64 %far
  %v = load i32, ptr %there
  ret void
}

declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define i32 @main(i32 %argc, ptr %argv) {
  %block = call ptr @calloc(i64 4, i64 8)
  %large = call ptr @calloc(i64 500, i64 8)
  %here = ptrtoint ptr %block to i64
  %there = ptrtoint ptr %large to i64
  %difference = sub i64 %there, %here
  %middle = add i64 %difference, 2000
  %is.far = icmp eq i32 %argc, 3
  %far = select i1 %is.far, i64 %middle, i64 0
  %at = getelementptr ptr, ptr %argv, i64 1
  %word = load ptr, ptr %at
  %number = call i64 @strtol(ptr %word, ptr null, i32 10)
  switch i64 %number, label %end [ CASES ]
BLOCKS
end:
  ret i32 0
}
