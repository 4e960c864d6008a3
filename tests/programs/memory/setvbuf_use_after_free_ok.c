// The twin of setvbuf_use_after_free.
// STDOUT: well
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *buffer = malloc(256);
    FILE *stream = fopen("/dev/null", "w");
    setvbuf(stream, buffer, _IOFBF, 256);
    fputs("text", stream);
    fclose(stream);
    free(buffer);
    puts("well");
    return 0;
}
