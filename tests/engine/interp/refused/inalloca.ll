; REFUSED: inalloca in main
define i32 @main() {
 %a = alloca inalloca i32
 ret i32 0
}
