; REFUSED: swifterror in main
define i32 @main() {
 %a = alloca swifterror ptr
 ret i32 0
}
