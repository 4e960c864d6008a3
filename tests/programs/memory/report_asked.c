// STDOUT: none yet
// STDOUT: present, write of 1: heap-use-after-free
// A program that asks about reports is checked like any other, and is told before the text is out.
#include <stdio.h>
#include <stdlib.h>

int __asan_report_present(void);
int __asan_get_report_access_type(void);
size_t __asan_get_report_access_size(void);
const char *__asan_get_report_description(void);

void __asan_on_error(void) {
    printf("%s, %s of %d: %s\n", __asan_report_present() ? "present" : "absent",
           __asan_get_report_access_type() ? "write" : "read",
           (int)__asan_get_report_access_size(), __asan_get_report_description());
    fflush(stdout);
}

int main(void) {
    volatile char *block = malloc(10); // ALLOCATED
    puts(__asan_report_present() ? "too early" : "none yet");
    free((void *)block);               // FREED
    block[0] = 1;                      // EXPECT: heap-use-after-free write 1
    return 0;
}
