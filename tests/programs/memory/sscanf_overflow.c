// A word of four letters needs five bytes.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *word = malloc(4); // ALLOCATED
    int count = 0;
    int assigned = sscanf("7 abcd", "%d %4s", &count, word); // EXPECT: heap-buffer-overflow write 5
    printf("%d %d\n", assigned, count);
    free(word);
    return 0;
}
