; Branches, switches of all kinds, phis that exchange values, computed jumps.
@form = private constant [10 x i8] c"%s %llx\0A\00\00"
@table = private constant [3 x ptr] [ptr blockaddress(@jumper, %a), ptr blockaddress(@jumper, %b), ptr blockaddress(@jumper, %c)]
@steps = private constant [3 x i32] [
  i32 0,
  i32 trunc (i64 sub (i64 ptrtoint (ptr blockaddress(@jumper, %b) to i64), i64 ptrtoint (ptr blockaddress(@jumper, %a) to i64)) to i32),
  i32 trunc (i64 sub (i64 ptrtoint (ptr blockaddress(@jumper, %c) to i64), i64 ptrtoint (ptr blockaddress(@jumper, %a) to i64)) to i32)]
@n.dense = private constant [6 x i8] c"dense\00"
@n.sparse = private constant [7 x i8] c"sparse\00"
@n.wide = private constant [5 x i8] c"wide\00"
@n.odd = private constant [4 x i8] c"odd\00"
@n.swap = private constant [5 x i8] c"swap\00"
@n.jump = private constant [5 x i8] c"jump\00"
@n.narrow = private constant [7 x i8] c"narrow\00"
declare i32 @printf(ptr, ...)

define void @say(ptr %name, i64 %value) {
  %n = call i32 (ptr, ...) @printf(ptr @form, ptr %name, i64 %value)
  ret void
}

define i64 @dense(i32 %x) {
entry:
  switch i32 %x, label %other [ i32 -2, label %one
                                i32 -1, label %two
                                i32 0, label %one
                                i32 2, label %three ]
one:
  %p = phi i64 [ 10, %entry ], [ 10, %entry ]
  ret i64 %p
two:
  br label %three
three:
  %q = phi i64 [ 20, %two ], [ 30, %entry ]
  ret i64 %q
other:
  ret i64 -1
}

define i64 @sparse(i64 %x) {
  switch i64 %x, label %other [ i64 -9000000000000000000, label %one
                                i64 7, label %two
                                i64 1000000007, label %three
                                i64 9000000000000000000, label %four ]
one:
  ret i64 1
two:
  ret i64 2
three:
  ret i64 3
four:
  ret i64 4
other:
  ret i64 0
}

define i64 @wide(i128 %x) {
entry:
  switch i128 %x, label %other [ i128 18446744073709551616, label %one
                                 i128 -5, label %two ]
one:
  %p = phi i64 [ 100, %entry ]
  ret i64 %p
two:
  ret i64 200
other:
  ret i64 0
}

define i64 @odd(i5 %x) {
  switch i5 %x, label %other [ i5 -16, label %one
                               i5 15, label %two ]
one:
  ret i64 1
two:
  ret i64 2
other:
  ret i64 0
}

define i64 @empty(i32 %x) {
  switch i32 %x, label %other []
other:
  ret i64 5
}

define i64 @swap(i64 %n) {
entry:
  br label %loop
loop:
  %a = phi i64 [ 1, %entry ], [ %b, %loop ]
  %b = phi i64 [ 2, %entry ], [ %c, %loop ]
  %c = phi i64 [ 3, %entry ], [ %a, %loop ]
  %w = phi [3 x i64] [ [i64 7, i64 8, i64 9], %entry ], [ %v, %loop ]
  %v = phi [3 x i64] [ [i64 4, i64 5, i64 6], %entry ], [ %w, %loop ]
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %first = extractvalue [3 x i64] %w, 0
  %x = mul i64 %a, 10000
  %y = mul i64 %b, 100
  %z = add i64 %x, %y
  %u = add i64 %z, %c
  %f = mul i64 %first, 1000000
  %r = add i64 %u, %f
  ret i64 %r
}

define i64 @jumper(ptr %codes, i64 %way) {
entry:
  %is.offset = icmp eq i64 %way, 1
  %first = load i32, ptr %codes
  br i1 %is.offset, label %by.offset, label %by.table
by.table:
  %slot = getelementptr [3 x ptr], ptr @table, i64 0, i32 %first
  %there = load ptr, ptr %slot
  indirectbr ptr %there, [ label %a, label %b, label %c ]
by.offset:
  %at = getelementptr [3 x i32], ptr @steps, i64 0, i32 %first
  %step = load i32, ptr %at
  %place = getelementptr i8, ptr blockaddress(@jumper, %a), i32 %step
  indirectbr ptr %place, [ label %a, label %b, label %c ]
a:
  %pa = phi i64 [ 1, %by.table ], [ 2, %by.offset ], [ %sb, %b ]
  %ra = mul i64 %pa, 16
  ret i64 %ra
b:
  %pb = phi i64 [ 3, %by.table ], [ 4, %by.offset ]
  %sb = add i64 %pb, 8
  indirectbr ptr blockaddress(@jumper, %a), [ label %a, label %c ]
c:
  %pc = phi i64 [ 5, %by.table ], [ 6, %by.offset ], [ 7, %b ]
  ret i64 %pc
}

define i64 @narrow(ptr %p, ptr %q) {
  %a = load i8, ptr %p
  %b = load i8, ptr %q
  %less = icmp slt i8 %a, %b
  br i1 %less, label %yes, label %no
yes:
  ret i64 1
no:
  ret i64 0
}

; Addresses of blocks that nothing jumps to: they differ, and none is null.
define i64 @unused(i1 %b) {
  br i1 %b, label %one, label %two
one:
  br label %two
two:
  ret i64 0
}
@unused.places = global [2 x ptr] [ptr blockaddress(@unused, %one), ptr blockaddress(@unused, %two)]

define i64 @apart() {
  %first = load ptr, ptr @unused.places
  %second = load ptr, ptr getelementptr (i8, ptr @unused.places, i64 8)
  %differ = icmp ne ptr %first, %second
  %real = icmp ne ptr %first, null
  %both = and i1 %differ, %real
  %r = zext i1 %both to i64
  ret i64 %r
}

define i32 @main() {
entry:
  %x = alloca i32
  %small = alloca [2 x i8]
  %other = getelementptr i8, ptr %small, i64 1
  br label %loop
loop:
  %i = phi i32 [ -3, %entry ], [ %next, %loop ]
  %d = call i64 @dense(i32 %i)
  call void @say(ptr @n.dense, i64 %d)
  %next = add i32 %i, 1
  %more = icmp sle i32 %next, 3
  br i1 %more, label %loop, label %then
then:
  %s1 = call i64 @sparse(i64 -9000000000000000000)
  %s2 = call i64 @sparse(i64 1000000007)
  %s3 = call i64 @sparse(i64 9000000000000000000)
  %s4 = call i64 @sparse(i64 8)
  call void @say(ptr @n.sparse, i64 %s1)
  call void @say(ptr @n.sparse, i64 %s2)
  call void @say(ptr @n.sparse, i64 %s3)
  call void @say(ptr @n.sparse, i64 %s4)
  %w1 = call i64 @wide(i128 18446744073709551616)
  %w2 = call i64 @wide(i128 -5)
  %w3 = call i64 @wide(i128 5)
  call void @say(ptr @n.wide, i64 %w1)
  call void @say(ptr @n.wide, i64 %w2)
  call void @say(ptr @n.wide, i64 %w3)
  %o1 = call i64 @odd(i5 -16)
  %o2 = call i64 @odd(i5 15)
  %o3 = call i64 @odd(i5 1)
  call void @say(ptr @n.odd, i64 %o1)
  call void @say(ptr @n.odd, i64 %o2)
  call void @say(ptr @n.odd, i64 %o3)
  %e = call i64 @empty(i32 3)
  call void @say(ptr @n.odd, i64 %e)
  %r1 = call i64 @swap(i64 1)
  %r2 = call i64 @swap(i64 2)
  %r3 = call i64 @swap(i64 6)
  call void @say(ptr @n.swap, i64 %r1)
  call void @say(ptr @n.swap, i64 %r2)
  call void @say(ptr @n.swap, i64 %r3)
  br label %jumps
jumps:
  %j = phi i32 [ 0, %then ], [ %j.next, %jumps ]
  store i32 %j, ptr %x
  %t = call i64 @jumper(ptr %x, i64 0)
  %f = call i64 @jumper(ptr %x, i64 1)
  call void @say(ptr @n.jump, i64 %t)
  call void @say(ptr @n.jump, i64 %f)
  %j.next = add i32 %j, 1
  %j.more = icmp ult i32 %j.next, 3
  br i1 %j.more, label %jumps, label %last
last:
  store i8 -3, ptr %small
  store i8 5, ptr %other
  %n1 = call i64 @narrow(ptr %small, ptr %other)
  %n2 = call i64 @narrow(ptr %other, ptr %small)
  call void @say(ptr @n.narrow, i64 %n1)
  call void @say(ptr @n.narrow, i64 %n2)
  %apart = call i64 @apart()
  call void @say(ptr @n.jump, i64 %apart)
  ret i32 0
}
