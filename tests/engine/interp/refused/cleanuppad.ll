; REFUSED: cleanuppad in main
declare i32 @__CxxFrameHandler3(...)
declare void @g()
define i32 @main() personality ptr @__CxxFrameHandler3 {
 invoke void @g() to label %a unwind label %s
s:
 %p = cleanuppad within none []
 cleanupret from %p unwind to caller
a:
 ret i32 0
}
