; REFUSED: llvm.experimental.stackmap in main
declare void @llvm.experimental.stackmap(i64, i32, ...)
define i32 @main() {
 call void (i64, i32, ...) @llvm.experimental.stackmap(i64 1, i32 0)
 ret i32 0
}
