; REFUSED: llvm.coro.id in main
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
define i32 @main() presplitcoroutine {
 %t = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null)
 ret i32 0
}
