; REFUSED: llvm.eh.sjlj.lsda in main
declare ptr @llvm.eh.sjlj.lsda()
define i32 @main() {
 %a = call ptr @llvm.eh.sjlj.lsda()
 ret i32 0
}
