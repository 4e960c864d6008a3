; Machine code that changes stacks; what a stack that is not running holds: switch.py.
;
;   void irsan_switch(ptr slot, i64 sp)    save this stack's pointer in *slot, go on where `sp` left
;   irsan_switch_restore                   its second half; entered with rsp = a saved stack pointer
;   i64 irsan_prepare_stack(i64 hi, ptr entry, ptr argument)    a stack that will call
;               entry(argument); `hi` is its end (16-aligned, exclusive); the result is its pointer
;
; Loading control words is slow, and they hardly ever differ.  Registers that are not saved are
; cleared, so that a register dump in a report never shows what the host left in them.
;
; Source: the System V ABI for x86-64, section 3.2 (registers a callee saves, stack alignment).

module asm ".text"
module asm ".p2align 4"
module asm ".globl irsan_switch"
module asm ".type irsan_switch, @function"
module asm "irsan_switch:"
module asm ".cfi_startproc"
module asm "pushq %rbp"
module asm ".cfi_def_cfa_offset 16"
module asm ".cfi_offset %rbp, -16"
module asm "pushq %rbx"
module asm ".cfi_def_cfa_offset 24"
module asm ".cfi_offset %rbx, -24"
module asm "pushq %r12"
module asm ".cfi_def_cfa_offset 32"
module asm ".cfi_offset %r12, -32"
module asm "pushq %r13"
module asm ".cfi_def_cfa_offset 40"
module asm ".cfi_offset %r13, -40"
module asm "pushq %r14"
module asm ".cfi_def_cfa_offset 48"
module asm ".cfi_offset %r14, -48"
module asm "pushq %r15"
module asm ".cfi_def_cfa_offset 56"
module asm ".cfi_offset %r15, -56"
module asm "subq $8, %rsp"
module asm ".cfi_def_cfa_offset 64"
module asm "stmxcsr (%rsp)"
module asm "fnstcw 4(%rsp)"
module asm "movq %rsp, (%rdi)"
module asm "movl (%rsp), %eax"
module asm "movzwl 4(%rsp), %ecx"
module asm "movq %rsi, %rsp"
module asm "cmpl (%rsp), %eax"
module asm "jne irsan_switch_restore"
module asm "cmpw 4(%rsp), %cx"
module asm "je .Lirsan_switch_pop"
module asm ".globl irsan_switch_restore"
module asm "irsan_switch_restore:"
module asm "ldmxcsr (%rsp)"
module asm "fldcw 4(%rsp)"
module asm ".Lirsan_switch_pop:"
module asm "addq $8, %rsp"
module asm ".cfi_def_cfa_offset 56"
module asm "popq %r15"
module asm ".cfi_def_cfa_offset 48"
module asm "popq %r14"
module asm ".cfi_def_cfa_offset 40"
module asm "popq %r13"
module asm ".cfi_def_cfa_offset 32"
module asm "popq %r12"
module asm ".cfi_def_cfa_offset 24"
module asm "popq %rbx"
module asm ".cfi_def_cfa_offset 16"
module asm "popq %rbp"
module asm ".cfi_def_cfa_offset 8"
module asm "xorl %eax, %eax"
module asm "xorl %ecx, %ecx"
module asm "xorl %edx, %edx"
module asm "xorl %esi, %esi"
module asm "xorl %edi, %edi"
module asm "xorl %r8d, %r8d"
module asm "xorl %r9d, %r9d"
module asm "xorl %r10d, %r10d"
module asm "xorl %r11d, %r11d"
module asm "ret"
module asm ".cfi_endproc"
module asm ".size irsan_switch, .-irsan_switch"
module asm ".p2align 4"
module asm ".globl irsan_first_frame"
module asm ".type irsan_first_frame, @function"
module asm "irsan_first_frame:"
module asm ".cfi_startproc"
module asm ".cfi_undefined rip"
module asm "movq %r12, %rdi"
module asm "xorl %ebp, %ebp"
module asm "callq *%rbx"
module asm "ud2"
module asm ".cfi_endproc"
module asm ".size irsan_first_frame, .-irsan_first_frame"

define i64 @irsan_prepare_stack(i64 %hi, ptr %entry, ptr %argument) {
  %top = sub i64 %hi, 16
  %sp = sub i64 %top, 64
  %base = inttoptr i64 %sp to ptr
  %at0 = getelementptr i64, ptr %base, i64 0
  store i64 ptrtoint (ptr @constants.FIRST_FLAGS to i64), ptr %at0
  %at1 = getelementptr i64, ptr %base, i64 1
  store i64 0, ptr %at1
  %at2 = getelementptr i64, ptr %base, i64 2
  store i64 0, ptr %at2
  %at3 = getelementptr i64, ptr %base, i64 3
  store i64 0, ptr %at3
  %at4 = getelementptr i64, ptr %base, i64 4
  store ptr %argument, ptr %at4
  %at5 = getelementptr i64, ptr %base, i64 5
  store ptr %entry, ptr %at5
  %at6 = getelementptr i64, ptr %base, i64 6
  store i64 0, ptr %at6
  %at7 = getelementptr i64, ptr %base, i64 7
  store ptr @irsan_first_frame, ptr %at7
  %at8 = getelementptr i64, ptr %base, i64 8
  store i64 0, ptr %at8
  %at9 = getelementptr i64, ptr %base, i64 9
  store i64 0, ptr %at9
  ret i64 %sp
}

@constants.FIRST_FLAGS = external global i8

declare void @irsan_first_frame()
