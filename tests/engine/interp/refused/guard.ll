; REFUSED: llvm.experimental.guard in main
declare void @llvm.experimental.guard(i1, ...)
define i32 @main() {
 call void (i1, ...) @llvm.experimental.guard(i1 true) ["deopt"()]
 ret i32 0
}
