// What a system call has written is told afterwards: a status of 144 bytes in one of 144.
// NATIVE: skip an ordinary build has no such function
// STDOUT: 0
#include <stdio.h>
#include <stdlib.h>

void __sanitizer_syscall_pre_impl_newfstat(long, long);
void __sanitizer_syscall_post_impl_newfstat(long, long, long);

int main(void) {
    char *status = calloc(1, 144);
    __sanitizer_syscall_pre_impl_newfstat(0, (long)status);
    __sanitizer_syscall_post_impl_newfstat(-9, 0, (long)status);
    long at = (long)status;
    __sanitizer_syscall_post_impl_newfstat(0, 0, at);
    printf("%d\n", status[0]);
    free(status);
    return 0;
}
