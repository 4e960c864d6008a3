; REFUSED: llvm.eh.return.i64 in main
declare void @llvm.eh.return.i64(i64, ptr)
define i32 @main() {
 call void @llvm.eh.return.i64(i64 1, ptr null)
 unreachable
}
