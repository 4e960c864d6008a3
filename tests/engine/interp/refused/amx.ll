; REFUSED: tile in main
declare x86_amx @llvm.x86.tilezero.internal(i16, i16)
define i32 @main() {
 %a = call x86_amx @llvm.x86.tilezero.internal(i16 8, i16 8)
 ret i32 0
}
