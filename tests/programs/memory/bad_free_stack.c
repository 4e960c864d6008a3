// free of a local array that stood in for a heap buffer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile buffer;

int main(void) {
    char small[32];
    buffer = small;
    strcpy(buffer, "fits");
    puts(buffer);
    free(buffer); // EXPECT: bad-free
    return 0;
}
