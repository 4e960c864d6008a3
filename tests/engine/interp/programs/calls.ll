; Arguments behind `...`, tail calls that must be, calling conventions, memory as arguments,
; aliases, indirect functions, a naked function, assembly of both kinds.
%pair = type { i64, i32 }
@form = private constant [6 x i8] c"%llx\0A\00"
@other.name = alias i64 (i64), ptr @plain
@chosen = ifunc i64 (i64), ptr @choose
declare i32 @printf(ptr, ...)
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_copy.p0(ptr, ptr)
declare void @llvm.va_end.p0(ptr)
module asm ".globl asm_seven"
module asm "asm_seven: movl $7, %eax"
module asm "ret"
declare i32 @asm_seven()

define void @say(i64 %value) {
  %n = call i32 (ptr, ...) @printf(ptr @form, i64 %value)
  ret void
}

define i64 @sum(i32 %n, ...) {
entry:
  %list = alloca [24 x i8], align 16
  %twin = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  call void @llvm.va_copy.p0(ptr %twin, ptr %list)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi i64 [ 0, %entry ], [ %more, %loop ]
  %one = va_arg ptr %list, i64
  %more = add i64 %total, %one
  %next = add i32 %i, 1
  %going = icmp ult i32 %next, %n
  br i1 %going, label %loop, label %done
done:
  %again = va_arg ptr %twin, i64
  %double = mul i64 %again, 1000
  %all = add i64 %double, %more
  call void @llvm.va_end.p0(ptr %list)
  call void @llvm.va_end.p0(ptr %twin)
  ret i64 %all
}

define i64 @forward(i32 %n, ...) {
  %r = musttail call i64 (i32, ...) @sum(i32 %n, ...)
  ret i64 %r
}

define i64 @even(i64 %n, i64 %acc) {
  %is.end = icmp eq i64 %n, 0
  br i1 %is.end, label %end, label %go
end:
  ret i64 %acc
go:
  %next = sub i64 %n, 1
  %more = add i64 %acc, 3
  %r = musttail call i64 @odd(i64 %next, i64 %more)
  ret i64 %r
}

define i64 @odd(i64 %n, i64 %acc) {
  %is.end = icmp eq i64 %n, 0
  br i1 %is.end, label %end, label %go
end:
  ret i64 -1
go:
  %next = sub i64 %n, 1
  %r = musttail call i64 @even(i64 %next, i64 %acc)
  ret i64 %r
}

define fastcc i64 @many(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i64 %h, double %x, <4 x i32> %v, i128 %w) {
  %x.i = fptosi double %x to i64
  %v.2 = extractelement <4 x i32> %v, i32 2
  %v.i = sext i32 %v.2 to i64
  %w.h = lshr i128 %w, 100
  %w.i = trunc i128 %w.h to i64
  %s1 = add i64 %a, %h
  %s2 = mul i64 %s1, %x.i
  %s3 = add i64 %s2, %v.i
  %s4 = xor i64 %s3, %w.i
  %s5 = sub i64 %s4, %g
  ret i64 %s5
}

define void @make(ptr sret(%pair) %out, i64 %x) {
  store i64 %x, ptr %out
  %at = getelementptr %pair, ptr %out, i32 0, i32 1
  store i32 77, ptr %at
  ret void
}

define i64 @spoil(ptr byval(%pair) %own) {
  %x = load i64, ptr %own
  store i64 0, ptr %own
  ret i64 %x
}

define { i64, double } @two(i64 %x) {
  %f = sitofp i64 %x to double
  %a = insertvalue { i64, double } poison, i64 %x, 0
  %b = insertvalue { i64, double } %a, double %f, 1
  ret { i64, double } %b
}

define i64 @plain(i64 %x) {
  %r = mul i64 %x, 3
  ret i64 %r
}

define internal ptr @choose() {
  ret ptr @plain
}

define i32 @bare() naked {
  call void asm sideeffect "movl $$42, %eax; ret", "~{eax}"()
  unreachable
}

define signext i8 @narrow(i8 signext %x, i16 zeroext %y) {
  %z = trunc i16 %y to i8
  %r = add i8 %x, %z
  ret i8 %r
}

define i32 @branching(i32 %x) {
entry:
  callbr void asm sideeffect "testl $0, $0; jz ${1:l}; js ${2:l}", "r,!i,!i,~{cc}"(i32 %x)
    to label %plus [label %zero, label %minus]
plus:
  %p = phi i32 [ 1, %entry ]
  ret i32 %p
zero:
  %z = phi i32 [ 2, %entry ]
  ret i32 %z
minus:
  ret i32 3
}

define i32 @branching.value(i32 %x) {
entry:
  %y = callbr i32 asm "movl $1, $0; testl $1, $1; jz ${2:l}", "=&r,r,!i,~{cc}"(i32 %x)
    to label %there [label %zero]
there:
  %a = phi i32 [ %y, %entry ]
  %r = add i32 %a, 1
  ret i32 %r
zero:
  %s = sub i32 %y, 1
  ret i32 %s
}

define i32 @main() {
  %s = call i64 (i32, ...) @sum(i32 8, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8)
  call void @say(i64 %s)
  %t = call i64 (i32, ...) @forward(i32 7, i64 9, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7)
  call void @say(i64 %t)
  %u = call i64 @even(i64 200000, i64 1)
  call void @say(i64 %u)
  %m = call fastcc i64 @many(i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, double 2.5, <4 x i32> <i32 1, i32 2, i32 -3, i32 4>, i128 -1)
  call void @say(i64 %m)
  %pair = alloca %pair
  call void @make(ptr sret(%pair) %pair, i64 99)
  %kept = call i64 @spoil(ptr byval(%pair) %pair)
  %still = load i64, ptr %pair
  call void @say(i64 %kept)
  call void @say(i64 %still)
  %both = call { i64, double } @two(i64 12)
  %first = extractvalue { i64, double } %both, 0
  %second = extractvalue { i64, double } %both, 1
  %second.i = fptosi double %second to i64
  call void @say(i64 %first)
  call void @say(i64 %second.i)
  %c = call i64 @other.name(i64 5)
  %d = call i64 @chosen(i64 6)
  %slot = alloca ptr
  store ptr @chosen, ptr %slot
  %through = load ptr, ptr %slot
  %d2 = call i64 %through(i64 7)
  call void @say(i64 %c)
  call void @say(i64 %d)
  call void @say(i64 %d2)
  %e = call i32 @bare()
  %e.w = zext i32 %e to i64
  call void @say(i64 %e.w)
  %n = call signext i8 @narrow(i8 signext -100, i16 zeroext 400)
  %n.w = sext i8 %n to i64
  call void @say(i64 %n.w)
  %b1 = call i32 @branching(i32 4)
  %b2 = call i32 @branching(i32 0)
  %b3 = call i32 @branching(i32 -4)
  %b4 = call i32 @branching.value(i32 0)
  %b5 = call i32 @branching.value(i32 6)
  %b12 = call i32 (ptr, ...) @printf(ptr @form, i32 %b1)
  %b13 = call i32 (ptr, ...) @printf(ptr @form, i32 %b2)
  %b14 = call i32 (ptr, ...) @printf(ptr @form, i32 %b3)
  %b4.w = sext i32 %b4 to i64
  call void @say(i64 %b4.w)
  %b5.w = sext i32 %b5 to i64
  call void @say(i64 %b5.w)
  %swapped = call i64 asm "bswapq $0", "=r,0"(i64 %u)
  call void @say(i64 %swapped)
  call void asm sideeffect "", "~{memory}"()
  %quotients = call { i32, i32 } asm "divl $4", "={ax},={dx},0,1,r,~{cc}"(i32 100, i32 0, i32 7)
  %quotient = extractvalue { i32, i32 } %quotients, 0
  %rest = extractvalue { i32, i32 } %quotients, 1
  %q.w = zext i32 %quotient to i64
  %r.w = zext i32 %rest to i64
  call void @say(i64 %q.w)
  call void @say(i64 %r.w)
  %seven = call i32 @asm_seven()
  ret i32 %seven
}
