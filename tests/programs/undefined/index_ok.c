// The last elements, the address one past the end, and a flexible array.
// EXIT: 0
#include <stdlib.h>

struct text {
    int n_bytes;
    char bytes[];
};

volatile int two = 2, sink;
int rows[2][3];

int main(void) {
    sink = rows[two - 1][two];
    int *end = &rows[1][3];
    sink = end[-1];
    struct text *text = malloc(sizeof *text + 16);
    text->bytes[two + 12] = 1;
    sink = text->bytes[14];
    free(text);
    return 0;
}
