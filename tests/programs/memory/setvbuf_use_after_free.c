// A stream is given a buffer that has been freed.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *buffer = malloc(256); // ALLOCATED
    free(buffer); // FREED
    FILE *stream = fopen("/dev/null", "w");
    setvbuf(stream, buffer, _IOFBF, 256); // EXPECT: heap-use-after-free write 256
    fputs("text", stream);
    fclose(stream);
    puts("well");
    return 0;
}
