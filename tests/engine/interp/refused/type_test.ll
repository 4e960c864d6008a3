; REFUSED: llvm.type.test in main
declare i1 @llvm.type.test(ptr, metadata)
define i32 @main() {
 %a = call i1 @llvm.type.test(ptr null, metadata !0)
 ret i32 0
}
!0 = distinct !{}
