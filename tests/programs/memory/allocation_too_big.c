// malloc of a length that was -1 before it became a size.
#include <stdio.h>
#include <stdlib.h>

static void *volatile message;

int main(int argc, char **argv) {
    (void)argv;
    int length = argc - 3;
    message = malloc((size_t)length); // EXPECT: allocation-size-too-big
    printf("%d\n", message != NULL);
    return 0;
}
