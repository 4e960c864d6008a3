; REFUSED: llvm.vscale.i32 in main
declare i32 @llvm.vscale.i32()
define i32 @main() {
 %a = call i32 @llvm.vscale.i32()
 ret i32 0
}
