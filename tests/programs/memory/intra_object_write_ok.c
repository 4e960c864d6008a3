// The twin of intra_object_write.
// NATIVE: skip an ordinary build has no such function
// STDOUT: 0
#include <stdio.h>
#include <stdlib.h>
void __asan_poison_intra_object_redzone(size_t, size_t);
void __asan_unpoison_intra_object_redzone(size_t, size_t);

struct object { volatile char text[48]; };

int main(int argc, char **argv) {
    (void)argv;
    int sum = 0;
    struct object *object = calloc(1, sizeof *object);
    __asan_poison_intra_object_redzone((size_t)object + 16, 16);
    object->text[12 + argc] = 1;
    __asan_unpoison_intra_object_redzone((size_t)object + 16, 16);
    printf("%d\n", sum);
    free(object);
    return 0;
}
