// The twin of heap_overflow_write_odd: seven whole pixels.
// STDOUT: 1 2 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pixel {
    unsigned char red, green, blue;
};

static void put(unsigned char *image, size_t at, const struct pixel *pixel, size_t size_bytes) {
    memcpy(image + at, pixel, size_bytes);
}

int main(int argc, char **argv) {
    (void)argv;
    struct pixel pixel = {1, 2, 3};
    unsigned char *image = malloc(21);
    if (!image) return 1;
    memset(image, 0, 21);
    put(image, 15, &pixel, 2 + (size_t)argc);
    put(image, 18, &pixel, 2 + (size_t)argc);
    printf("%d %d %d\n", image[18], image[19], image[20]);
    free(image);
    return 0;
}
