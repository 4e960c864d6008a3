; REFUSED: llvm.call.preallocated.setup in main
declare token @llvm.call.preallocated.setup(i32)
define i32 @main() {
 %t = call token @llvm.call.preallocated.setup(i32 1)
 ret i32 0
}
