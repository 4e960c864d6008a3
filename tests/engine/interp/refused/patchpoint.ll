; REFUSED: llvm.experimental.patchpoint.void in main
declare void @llvm.experimental.patchpoint.void(i64, i32, ptr, i32, ...)
define i32 @main() {
 call void (i64, i32, ptr, i32, ...) @llvm.experimental.patchpoint.void(i64 1, i32 15, ptr null, i32 0)
 ret i32 0
}
