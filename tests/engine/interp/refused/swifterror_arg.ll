; REFUSED: swifterror in f
define void @f(ptr swifterror %e) {
 ret void
}
define i32 @main() {
 ret i32 0
}
