; REFUSED: deopt in f
declare void @g()
define i32 @f(i64 %x) {
 call void @g() ["deopt"(i64 %x)]
 ret i32 0
}
define i32 @main() {
 ret i32 0
}
