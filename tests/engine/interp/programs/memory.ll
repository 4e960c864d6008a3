; Addresses, stack variables that grow, atomic operations, aggregates in registers.
%inner = type { i8, i32, [3 x i16] }
%outer = type <{ i1, %inner, i24, x86_fp80, <2 x i32> }>
@form = private constant [6 x i8] c"%llx\0A\00"
@words = global [4 x i64] [i64 1, i64 2, i64 3, i64 4], align 16
@out = thread_local global i64 5
@behind = global ptr getelementptr ([4 x i64], ptr @words, i64 0, i64 2)
@distance = global i64 sub (i64 ptrtoint (ptr getelementptr ([4 x i64], ptr @words, i64 0, i64 3) to i64), i64 ptrtoint (ptr @words to i64))
declare i32 @printf(ptr, ...)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.inline.p0.i64(ptr, i8, i64, i1)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)

define void @say(i64 %value) {
  %n = call i32 (ptr, ...) @printf(ptr @form, i64 %value)
  ret void
}

define void @addresses(i64 %i, i32 %j, i8 %k, i128 %w) {
  %a = getelementptr [4 x i64], ptr @words, i64 0, i64 %i
  %b = getelementptr i64, ptr @words, i32 %j
  %c = getelementptr i64, ptr getelementptr (i8, ptr @words, i64 32), i8 %k
  %d = getelementptr i64, ptr @words, i128 %w
  %e = getelementptr [2 x [2 x i64]], ptr @words, i64 0, i64 %i, i32 %j
  %va = load i64, ptr %a
  %vb = load i64, ptr %b
  %vc = load i64, ptr %c
  %vd = load i64, ptr %d
  %ve = load i64, ptr %e
  call void @say(i64 %va)
  call void @say(i64 %vb)
  call void @say(i64 %vc)
  call void @say(i64 %vd)
  call void @say(i64 %ve)
  %p = ptrtoint ptr %a to i64
  %q = sub i64 %p, ptrtoint (ptr @words to i64)
  call void @say(i64 %q)
  %back = inttoptr i64 %p to ptr
  %again = load i64, ptr %back
  call void @say(i64 %again)
  %narrow = ptrtoint ptr %a to i8
  %narrow.w = and i8 %narrow, 15
  %n = zext i8 %narrow.w to i64
  call void @say(i64 %n)
  %x = add i64 %i, sub (i64 0, i64 ptrtoint (ptr @words to i64))
  %y = add i64 %x, ptrtoint (ptr @words to i64)
  call void @say(i64 %y)
  %behind = load ptr, ptr @behind
  %third = load i64, ptr %behind
  call void @say(i64 %third)
  %distance = load i64, ptr @distance
  call void @say(i64 %distance)
  %odd = getelementptr i8, ptr @words, i64 13
  %even = call ptr @llvm.ptrmask.p0.i64(ptr %odd, i64 -16)
  %same = icmp eq ptr %even, @words
  %same.w = zext i1 %same to i64
  call void @say(i64 %same.w)
  ret void
}

define i64 @growing(i64 %n) {
entry:
  %sum = alloca i64
  store i64 0, ptr %sum
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %top = call ptr @llvm.stacksave.p0()
  %room = alloca i64, i64 %i, align 64
  %last = getelementptr i64, ptr %room, i64 %i
  %at = getelementptr i64, ptr %last, i64 -1
  store i64 %i, ptr %at
  %v = load i64, ptr %at
  %p = ptrtoint ptr %room to i64
  %low = and i64 %p, 63
  %w = add i64 %v, %low
  %old = load i64, ptr %sum
  %new = add i64 %old, %w
  store i64 %new, ptr %sum
  call void @llvm.stackrestore.p0(ptr %top)
  %next = add i64 %i, 1
  %more = icmp ule i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %r = load i64, ptr %sum
  ret i64 %r
}

define void @atomics(ptr %p) {
  store i64 100, ptr %p
  %a = atomicrmw add ptr %p, i64 5 seq_cst
  %b = atomicrmw sub ptr %p, i64 3 seq_cst
  %c = atomicrmw xchg ptr %p, i64 77 seq_cst
  %d = atomicrmw and ptr %p, i64 15 seq_cst
  %e = atomicrmw or ptr %p, i64 32 seq_cst
  %f = atomicrmw xor ptr %p, i64 1 seq_cst
  %g = atomicrmw nand ptr %p, i64 12 seq_cst
  %h = atomicrmw max ptr %p, i64 -7 monotonic
  %i = atomicrmw min ptr %p, i64 -9 monotonic
  %j = atomicrmw umax ptr %p, i64 4 acquire
  %k = atomicrmw umin ptr %p, i64 9 release
  %l = atomicrmw uinc_wrap ptr %p, i64 20 seq_cst
  %m = atomicrmw udec_wrap ptr %p, i64 20 seq_cst
  fence seq_cst
  call void @say(i64 %a)
  call void @say(i64 %b)
  call void @say(i64 %c)
  call void @say(i64 %d)
  call void @say(i64 %e)
  call void @say(i64 %f)
  call void @say(i64 %g)
  call void @say(i64 %h)
  call void @say(i64 %i)
  call void @say(i64 %j)
  call void @say(i64 %k)
  call void @say(i64 %l)
  call void @say(i64 %m)
  %yes = cmpxchg ptr %p, i64 9, i64 55 seq_cst monotonic
  %no = cmpxchg weak ptr %p, i64 10, i64 56 acq_rel acquire
  %y = extractvalue { i64, i1 } %yes, 1
  %n = extractvalue { i64, i1 } %no, 0
  %y.w = zext i1 %y to i64
  call void @say(i64 %y.w)
  call void @say(i64 %n)
  %z = load atomic i64, ptr %p seq_cst, align 8
  store atomic i64 6, ptr %p release, align 8
  call void @say(i64 %z)
  store float 1.5, ptr %p
  %q = atomicrmw fadd ptr %p, float 2.0 seq_cst
  %q2 = atomicrmw fmax ptr %p, float 9.0 seq_cst
  %s = load float, ptr %p
  %s.i = fptosi float %s to i64
  call void @say(i64 %s.i)
  %small = atomicrmw add ptr %p, i8 200 seq_cst
  %small.w = sext i8 %small to i64
  call void @say(i64 %small.w)
  ret void
}

define %outer @fill(i64 %x, <2 x i32> %v) {
  %bit = trunc i64 %x to i1
  %byte = trunc i64 %x to i8
  %three = trunc i64 %x to i24
  %long = sitofp i64 %x to x86_fp80
  %a = insertvalue %outer poison, i1 %bit, 0
  %b = insertvalue %outer %a, i8 %byte, 1, 0
  %c = insertvalue %outer %b, i32 -5, 1, 1
  %d = insertvalue %outer %c, i16 7, 1, 2, 1
  %e = insertvalue %outer %d, i24 %three, 2
  %f = insertvalue %outer %e, x86_fp80 %long, 3
  %g = insertvalue %outer %f, <2 x i32> %v, 4
  %in = insertvalue %inner { i8 1, i32 2, [3 x i16] [i16 3, i16 4, i16 5] }, i16 99, 2, 2
  %choose = icmp sgt i64 %x, 1000
  %h = insertvalue %outer %g, %inner %in, 1
  %r = select i1 %choose, %outer %h, %outer %g
  ret %outer %r
}

define void @members(i64 %x) {
  %place = alloca %outer
  %o = call %outer @fill(i64 %x, <2 x i32> <i32 8, i32 9>)
  store %outer %o, ptr %place, align 1
  %l = load %outer, ptr %place, align 1
  %bit = extractvalue %outer %l, 0
  %byte = extractvalue %outer %l, 1, 0
  %three = extractvalue %outer %l, 2
  %array = extractvalue %outer %l, 1, 2
  %second = extractvalue [3 x i16] %array, 1
  %long = extractvalue %outer %l, 3
  %vector = extractvalue %outer %l, 4
  %bit.w = zext i1 %bit to i64
  %byte.w = sext i8 %byte to i64
  %three.w = sext i24 %three to i64
  %second.w = zext i16 %second to i64
  %long.w = fptosi x86_fp80 %long to i64
  %vector.w = bitcast <2 x i32> %vector to i64
  call void @say(i64 %bit.w)
  call void @say(i64 %byte.w)
  call void @say(i64 %three.w)
  call void @say(i64 %second.w)
  call void @say(i64 %long.w)
  call void @say(i64 %vector.w)
  %frozen = freeze %outer %l
  %same = extractvalue %outer %frozen, 1, 1
  %same.w = sext i32 %same to i64
  call void @say(i64 %same.w)
  ret void
}

define void @blocks(i64 %n) {
  %a = alloca [32 x i8], align 16
  %b = alloca [32 x i8], align 16
  call void @llvm.memset.p0.i64(ptr %a, i8 17, i64 %n, i1 false)
  call void @llvm.memset.inline.p0.i64(ptr %b, i8 34, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 5, i1 false)
  %over = getelementptr i8, ptr %b, i64 3
  call void @llvm.memmove.p0.p0.i64(ptr %over, ptr %b, i64 10, i1 true)
  %last = getelementptr i8, ptr %a, i64 24
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %last, ptr %b, i64 8, i1 false)
  %x = load i128, ptr %b, align 1
  %hi = lshr i128 %x, 64
  %x.lo = trunc i128 %x to i64
  %x.hi = trunc i128 %hi to i64
  call void @say(i64 %x.lo)
  call void @say(i64 %x.hi)
  %y = load i56, ptr %last
  %y.w = zext i56 %y to i64
  call void @say(i64 %y.w)
  store i56 -2, ptr %a
  %z = load i64, ptr %a
  call void @say(i64 %z)
  %big = load [32 x i8], ptr %b
  store [32 x i8] %big, ptr %a
  %first = load volatile i16, ptr %a
  %first.w = zext i16 %first to i64
  call void @say(i64 %first.w)
  %size = call i64 @llvm.objectsize.i64.p0(ptr %a, i1 false, i1 true, i1 false)
  %known = icmp ne i64 %size, 0
  %known.w = zext i1 %known to i64
  call void @say(i64 %known.w)
  ret void
}

define i32 @main() {
  call void @addresses(i64 1, i32 1, i8 -1, i128 3)
  %g = call i64 @growing(i64 20)
  call void @say(i64 %g)
  %p = alloca i64
  call void @atomics(ptr %p)
  call void @members(i64 515)
  call void @members(i64 -1)
  call void @members(i64 70000)
  call void @blocks(i64 32)
  %own = call ptr @llvm.threadlocal.address.p0(ptr @out)
  %old = load i64, ptr %own
  %new = mul i64 %old, 3
  store i64 %new, ptr %own
  %now = load i64, ptr @out
  call void @say(i64 %now)
  ret i32 0
}
