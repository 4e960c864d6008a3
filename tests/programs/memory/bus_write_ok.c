// The twin of bus_write.
// STDOUT: 0
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv) {
    (void)argv;
    FILE *file = tmpfile();
    if (!file || ftruncate(fileno(file), 4096)) return 1;
    volatile char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    page[0 * argc] = 0;
    puts("0");
    return 0;
}
