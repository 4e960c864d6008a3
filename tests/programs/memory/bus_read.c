// A mapped file is touched behind its end.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv) {
    (void)argv;
    FILE *file = tmpfile();
    if (!file || ftruncate(fileno(file), 4096)) return 1;
    volatile char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    printf("%d\n", page[4096 * argc]); // EXPECT: BUS
    return 0;
}
