// memcpy of three bytes, an odd size, with only the last byte outside.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pixel {
    unsigned char red, green, blue;
};

static void put(unsigned char *image, size_t at, const struct pixel *pixel, size_t size_bytes) {
    memcpy(image + at, pixel, size_bytes); // EXPECT: heap-buffer-overflow write 3
}

int main(int argc, char **argv) {
    (void)argv;
    struct pixel pixel = {1, 2, 3};
    unsigned char *image = malloc(20); // ALLOCATED
    if (!image) return 1;
    memset(image, 0, 20);
    put(image, 15, &pixel, 2 + (size_t)argc);
    put(image, 18, &pixel, 2 + (size_t)argc);
    printf("%d\n", image[18]);
    free(image);
    return 0;
}
