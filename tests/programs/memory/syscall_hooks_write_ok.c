// A program that makes its system calls itself tells of them.
// NATIVE: skip an ordinary build has no such function
// STDOUT: five
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void __sanitizer_syscall_pre_impl_write(long, long, long);

int main(void) {
    char *text = malloc(5);
    memcpy(text, "five\n", 5);
    __sanitizer_syscall_pre_impl_write(1, (long)text, 5);
    long n_bytes = syscall(SYS_write, 1, text, 5);
    free(text);
    return n_bytes != 5;
}
