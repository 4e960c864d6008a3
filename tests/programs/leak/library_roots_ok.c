// What the C library keeps for the program: a stream's buffer, the environment, a search tree.
// STDOUT: done
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *tree;

static int compare(const void *left, const void *right) {
    return strcmp(left, right);
}

static void fill(void) {
    char text[16];
    for (int i = 0; i < 20; i++) {
        snprintf(text, sizeof text, "key %d", i);
        tsearch(strdup(text), &tree, compare);
    }
    char *variable = malloc(32);
    strcpy(variable, "IRSAN_LEAK_TEST=1");
    putenv(variable);
    setvbuf(stdout, malloc(BUFSIZ), _IOFBF, BUFSIZ);
    FILE *file = fopen("/dev/null", "w");
    setvbuf(file, malloc(BUFSIZ), _IOFBF, BUFSIZ);
}

int main(void) {
    fill();
    puts("done");
    return 0;
}
