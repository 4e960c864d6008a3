// EXIT: 0
// STDOUT: none
// NATIVE: skip the interface comes with the address run-time, other builds have none
// Nothing is reported, so nothing is present, and nobody is called.
#include <stdio.h>
#include <stdlib.h>

int __asan_report_present(void);

void __asan_on_error(void) { puts("called"); }

int main(void) {
    volatile char *block = malloc(10);
    block[9] = 1;
    free((void *)block);
    puts(__asan_report_present() ? "present" : "none");
    return 0;
}
