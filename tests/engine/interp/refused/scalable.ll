; REFUSED: load in f
define i32 @f(ptr %p) {
 %a = load <vscale x 4 x i32>, ptr %p
 ret i32 0
}
define i32 @main() {
 ret i32 0
}
