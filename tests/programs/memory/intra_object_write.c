// The padding that a class keeps between two members is touched.
#include <stdio.h>
#include <stdlib.h>
void __asan_poison_intra_object_redzone(size_t, size_t);
void __asan_unpoison_intra_object_redzone(size_t, size_t);

struct object { volatile char text[48]; };

int main(int argc, char **argv) {
    (void)argv;
    int sum = 0;
    struct object *object = calloc(1, sizeof *object); // ALLOCATED
    __asan_poison_intra_object_redzone((size_t)object + 16, 16);
    object->text[20 + argc] = 1; // EXPECT: intra-object-overflow write 1
    __asan_unpoison_intra_object_redzone((size_t)object + 16, 16);
    printf("%d\n", sum);
    free(object);
    return 0;
}
