; What belongs to a frame: jumps back into it, its addresses, its registers; and what says nothing.
@form = private constant [6 x i8] c"%llx\0A\00"
@place = global [25 x i64] zeroinitializer, align 16
@quick = global [5 x ptr] zeroinitializer, align 16
declare i32 @printf(ptr, ...)
declare i32 @setjmp(ptr) returns_twice
declare void @longjmp(ptr, i32) noreturn
declare i32 @llvm.eh.sjlj.setjmp(ptr)
declare void @llvm.eh.sjlj.longjmp(ptr) noreturn
declare ptr @llvm.frameaddress.p0(i32)
declare ptr @llvm.returnaddress(i32)
declare ptr @llvm.addressofreturnaddress.p0()
declare ptr @llvm.stacksave.p0()
declare ptr @llvm.localaddress()
declare ptr @llvm.stackaddress.p0()
declare i64 @llvm.read_register.i64(metadata)
declare i64 @llvm.readcyclecounter()
declare i64 @llvm.get.dynamic.area.offset.i64()
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare void @llvm.assume(i1)
declare void @llvm.donothing()
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare ptr @llvm.invariant.start.p0(i64, ptr)
declare void @llvm.invariant.end.p0(ptr, i64, ptr)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare ptr @llvm.strip.invariant.group.p0(ptr)
declare ptr @llvm.ptr.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare void @llvm.sideeffect()
declare void @llvm.pseudoprobe(i64, i64, i32, i64)
declare void @llvm.experimental.noalias.scope.decl(metadata)
declare void @llvm.fake.use(...)
declare i1 @llvm.expect.with.probability.i1(i1, i1, double)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, i32, <4 x i1>)
declare void @llvm.masked.compressstore.v4i32.p0(<4 x i32>, ptr, <4 x i1>)
@mask = global <4 x i1> <i1 true, i1 false, i1 true, i1 true>
@four = global <4 x i32> <i32 5, i32 6, i32 7, i32 8>
@room = global [8 x i32] zeroinitializer, align 16

define void @say(i64 %value) {
  %n = call i32 (ptr, ...) @printf(ptr @form, i64 %value)
  ret void
}

define void @leap(i64 %n) {
  %is.end = icmp eq i64 %n, 0
  br i1 %is.end, label %end, label %deeper
end:
  call void @longjmp(ptr @place, i32 9)
  unreachable
deeper:
  %less = sub i64 %n, 1
  call void @leap(i64 %less)
  ret void
}

define i64 @returned.to(i64 %x) {
entry:
  %kept = mul i64 %x, 11
  %more = add i64 %kept, 1
  %count = alloca i64
  store volatile i64 0, ptr %count
  %r = call i32 @setjmp(ptr @place) returns_twice
  %old = load volatile i64, ptr %count
  %new = add i64 %old, 1
  store volatile i64 %new, ptr %count
  %is.back = icmp ne i32 %r, 0
  br i1 %is.back, label %back, label %first
first:
  %scratch = mul i64 %x, 5
  call void @say(i64 %scratch)
  call void @leap(i64 3)
  unreachable
back:
  %r.w = zext i32 %r to i64
  %a = mul i64 %r.w, 1000000
  %b = mul i64 %new, 10000
  %c = add i64 %a, %b
  %d = add i64 %c, %more
  ret i64 %d
}

define void @quick.leap() noinline {
  call void @llvm.eh.sjlj.longjmp(ptr @quick)
  unreachable
}

define i64 @quickly(i64 %x) {
entry:
  %kept = mul i64 %x, 13
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  store ptr %frame, ptr @quick
  %top = call ptr @llvm.stacksave.p0()
  store ptr %top, ptr getelementptr (i8, ptr @quick, i64 16)
  %r = call i32 @llvm.eh.sjlj.setjmp(ptr @quick)
  %is.back = icmp ne i32 %r, 0
  br i1 %is.back, label %back, label %first
first:
  call void @quick.leap()
  unreachable
back:
  ret i64 %kept
}

define i64 @places() "frame-pointer"="all" {
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %at = call ptr @llvm.addressofreturnaddress.p0()
  %to = call ptr @llvm.returnaddress(i32 0)
  %stored = load ptr, ptr %at
  %same = icmp eq ptr %stored, %to
  %behind = getelementptr i8, ptr %frame, i64 8
  %near = icmp eq ptr %behind, %at
  %stack = call i64 @llvm.read_register.i64(metadata !0)
  %here = ptrtoint ptr %at to i64
  %below = icmp ult i64 %stack, %here
  %offset = call i64 @llvm.get.dynamic.area.offset.i64()
  %small = icmp ult i64 %offset, 100000
  %a = zext i1 %same to i64
  %b = zext i1 %near to i64
  %c = zext i1 %below to i64
  %d = zext i1 %small to i64
  %e = shl i64 %b, 1
  %f = shl i64 %c, 2
  %g = shl i64 %d, 3
  %h = or i64 %a, %e
  %i = or i64 %f, %g
  %j = or i64 %h, %i
  %local = call ptr @llvm.localaddress()
  %is.local = icmp ult ptr %local, %at
  %top = call ptr @llvm.stackaddress.p0()
  %is.top = icmp ult ptr %top, %at
  %both = and i1 %is.local, %is.top
  %both.w = zext i1 %both to i64
  %k = shl i64 %both.w, 4
  %l = or i64 %j, %k
  ret i64 %l
}

define i64 @silent(ptr %p, i1 %b) {
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 8), "nonnull"(ptr %p) ]
  call void @llvm.donothing()
  %own = alloca i64
  call void @llvm.lifetime.start.p0(ptr %own)
  call void @llvm.var.annotation.p0.p0(ptr %own, ptr null, ptr null, i32 1, ptr null)
  store i64 12, ptr %own
  %since = call ptr @llvm.invariant.start.p0(i64 8, ptr %own)
  call void @llvm.invariant.end.p0(ptr %since, i64 8, ptr %own)
  %x = call ptr @llvm.launder.invariant.group.p0(ptr %own)
  %y = call ptr @llvm.strip.invariant.group.p0(ptr %x)
  %z = call ptr @llvm.ptr.annotation.p0.p0(ptr %y, ptr null, ptr null, i32 1, ptr null)
  call void @llvm.prefetch.p0(ptr %z, i32 0, i32 3, i32 1)
  call void @llvm.sideeffect()
  call void @llvm.pseudoprobe(i64 1, i64 1, i32 0, i64 -1)
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  %v = load i64, ptr %z
  call void (...) @llvm.fake.use(i64 %v)
  call void @llvm.lifetime.end.p0(ptr %own)
  %likely = call i1 @llvm.expect.with.probability.i1(i1 %b, i1 true, double 9.0e-01)
  %w = zext i1 %likely to i64
  %ticks = call i64 @llvm.readcyclecounter()
  %r = add i64 %v, %w
  ret i64 %r
}

define void @scattered() {
  %mask = load <4 x i1>, ptr @mask
  %four = load <4 x i32>, ptr @four
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %four, ptr @room, i32 4, <4 x i1> %mask)
  %wide = load i64, ptr getelementptr (i8, ptr @room, i64 4)
  call void @say(i64 %wide)
  call void @llvm.masked.compressstore.v4i32.p0(<4 x i32> %four, ptr @room, <4 x i1> %mask)
  %packed = load i64, ptr getelementptr (i8, ptr @room, i64 4)
  call void @say(i64 %packed)
  %places = getelementptr i32, ptr @room, <4 x i32> %four
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %four, <4 x ptr> %places, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 false>)
  %far = load i64, ptr getelementptr (i8, ptr @room, i64 20)
  call void @say(i64 %far)
  ret void
}

define i32 @main() {
  %r = call i64 @returned.to(i64 4)
  call void @say(i64 %r)
  %q = call i64 @quickly(i64 4)
  call void @say(i64 %q)
  %p = call i64 @places()
  call void @say(i64 %p)
  %s = call i64 @silent(ptr @place, i1 true)
  call void @say(i64 %s)
  call void @scattered()
  ret i32 0
}
!0 = !{!"rsp"}
!2 = !{!3}
!3 = distinct !{!3, !4}
!4 = distinct !{!4}
