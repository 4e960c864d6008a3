; REFUSED: llvm.localescape in main
declare void @llvm.localescape(...)
define i32 @main() {
 %a = alloca i32
 call void (...) @llvm.localescape(ptr %a)
 ret i32 0
}
