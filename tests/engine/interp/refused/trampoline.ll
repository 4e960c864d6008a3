; REFUSED: llvm.init.trampoline in main
declare void @llvm.init.trampoline(ptr, ptr, ptr)
define i32 @f(ptr nest %x, i32 %y) {
 ret i32 %y
}
define i32 @main() {
 %a = alloca [32 x i8]
 call void @llvm.init.trampoline(ptr %a, ptr @f, ptr null)
 ret i32 0
}
