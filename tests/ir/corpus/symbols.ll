; Every linkage, visibility, thread-local model, comdat kind and property of symbols.
source_filename = "odd \22name\22 \01.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

module asm "\0A.globl tick"
module asm "\0A\0Atick: ret # \22quoted\22\09tab\0A\0A"

%named = type { i32, %other, ptr }
%other = type <{ i8, i64 }>
%opaque = type opaque
%"odd name" = type { [3 x %named] }
%0 = type { half, bfloat }
%1 = type { i24, %0 }

$any = comdat any
$exact = comdat exactmatch
$large = comdat largest
$nodup = comdat nodeduplicate
$size = comdat samesize
$"odd comdat" = comdat any

@private = private global i32 1
@internal = internal constant i64 -1, align 16
@available = available_externally global i32 2
@linkonce = linkonce global i32 3
@linkonce_odr = linkonce_odr constant i32 4, comdat($any)
@weak = weak hidden global i32 5, comdat($exact)
@weak_odr = weak_odr protected global i32 6
@common = common global [4 x i32] zeroinitializer, align 4
@appending = appending global [1 x ptr] [ptr @private]
@external = external global %named
@extern_weak = extern_weak global %opaque
@default = global i32 7
@local = dso_local global i32 8
@import = external dllimport global i32
@export = dllexport global i32 9
@any = global i32 0, comdat
@large = global i32 0, comdat
@"odd comdat" = global i32 0, comdat
@size = internal global i32 0, comdat($size)
@tls0 = thread_local global i32 1
@tls1 = thread_local(localdynamic) global i32 1
@tls2 = external thread_local(initialexec) global i32
@tls3 = internal thread_local(localexec) unnamed_addr global i32 0
@unnamed = unnamed_addr constant [3 x i8] c"ab\00"
@local_unnamed = local_unnamed_addr global i8 0
@space = addrspace(3) global i32 undef
@initialised = externally_initialized global i32 0
@placed = global i32 1, section "my sec", partition "part", code_model "large", no_sanitize_address, no_sanitize_hwaddress, sanitize_memtag, sanitize_address_dyninit, comdat($nodup), align 32
@attributed = global i32 1 #0
@"odd \22\5C\C3\A9\01 name" = global i32 0
@0 = private unnamed_addr constant [2 x i8] c"\00\FF"
@1 = global ptr @0
@struct = global %"odd name" zeroinitializer
@pair = global %1 zeroinitializer
@self = global { ptr, ptr } { ptr @self, ptr @0 }

@alias = alias i32, ptr @default
@alias_weak = weak hidden unnamed_addr alias i32, ptr @default
@alias_expr = internal alias i8, getelementptr inbounds (i8, ptr @common, i64 5)
@alias_tls = thread_local(initialexec) alias i32, ptr @tls0
@alias_of_function = dso_local local_unnamed_addr alias void (), ptr @callee
@ifunc = ifunc i32 (i32), ptr @resolver
@ifunc_hidden = internal ifunc i32 (i32), ptr @resolver

define internal void @callee() {
  ret void
}

define ptr @resolver() {
  ret ptr @callee
}

declare extern_weak i32 @maybe(i32, ...)
declare dllimport void @imported()
declare void @declared() #1

define weak_odr hidden fastcc noundef nonnull align 8 dereferenceable(16) ptr @everything(ptr noundef byval(%named) align 8 captures(none) %a, i32 signext inreg %b) unnamed_addr #1 section "text.hot" partition "p" comdat($any) align 64 gc "statepoint-example" prefix i32 7 prologue i8 -112 personality ptr @maybe {
  ret ptr %a
}

define linkonce_odr protected i32 @lo() comdat { ret i32 0 }
$lo = comdat any
define available_externally i32 @ae() { ret i32 0 }
define internal i32 @inner(i32 returned %x, ptr nest %n) { ret i32 %x }
define void @elsewhere() addrspace(0) { ret void }
define void @swift(ptr swiftself %s, ptr swifterror %e, ptr swiftasync %x) {
  ret void
}
define void @in_alloca(ptr inalloca(<{ i32 }>) %x) { ret void }
define void @preallocated(ptr preallocated(i32) %x) { ret void }
define void @by_ref(ptr byref(i64) align 4 %x) { ret void }
define void @struct_return(ptr sret(i32) noalias writable %c) { ret void }

attributes #0 = { "bss-section"="my_bss" }
attributes #1 = { nounwind uwtable "frame-pointer"="all" "no-value" sanitize_thread sanitize_address mustprogress memory(argmem: readwrite, inaccessiblemem: write) }
