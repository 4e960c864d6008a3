; REFUSED: llvm.arm.get.fpscr in main
declare i32 @llvm.arm.get.fpscr()
define i32 @main() {
 %a = call i32 @llvm.arm.get.fpscr()
 ret i32 0
}
