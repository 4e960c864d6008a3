; REFUSED: llvm.stackguard in main
declare ptr @llvm.stackguard()
define i32 @main() {
 %a = call ptr @llvm.stackguard()
 ret i32 0
}
