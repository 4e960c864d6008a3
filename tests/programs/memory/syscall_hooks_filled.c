// What a system call has written is told afterwards: a status of 144 bytes in a block of 100.
// NATIVE: miss the top frame of its report is a helper of the runtime
#include <stdio.h>
#include <stdlib.h>

void __sanitizer_syscall_pre_impl_newfstat(long, long);
void __sanitizer_syscall_post_impl_newfstat(long, long, long);

int main(void) {
    char *status = calloc(1, 100); // ALLOCATED
    __sanitizer_syscall_pre_impl_newfstat(0, (long)status);
    __sanitizer_syscall_post_impl_newfstat(-9, 0, (long)status);
    long at = (long)status;
    __sanitizer_syscall_post_impl_newfstat(0, 0, at); // EXPECT: heap-buffer-overflow write 144
    printf("%d\n", status[0]);
    free(status);
    return 0;
}
