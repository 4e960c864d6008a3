; REFUSED: llvm.gcroot in main
declare void @llvm.gcroot(ptr, ptr)
define i32 @main() gc "shadow-stack" {
 %a = alloca ptr
 call void @llvm.gcroot(ptr %a, ptr null)
 ret i32 0
}
