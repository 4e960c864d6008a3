// A program makes room for its title as nginx does: the environment moves, environ keeps the block.
// STDOUT: contiguous 1 title 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern char **environ;

static char *end_of_texts(int argc, char **argv) {
    char *end = argv[0];
    for (int i = 0; i < argc; i++)
        if (end == argv[i]) end = argv[i] + strlen(argv[i]) + 1;
    return end;
}

int main(int argc, char **argv) {
    setenv("IRSAN_TITLE", "a variable", 1);
    unsetenv("IRSAN_TITLE");
    char **variables = environ, *end = end_of_texts(argc, argv);
    int is_contiguous = variables[0] == NULL || end == argv[0] + (variables[0] - argv[0]);
    size_t size = 1;
    for (int i = 0; variables[i]; i++) size += strlen(variables[i]) + 1;
    char *room = malloc(size);
    for (int i = 0; variables[i]; i++) {
        if (end == variables[i]) end = variables[i] + strlen(variables[i]) + 1;
        strcpy(room, variables[i]);
        variables[i] = room;
        room += strlen(room) + 1;
    }
    memset(argv[0], 0, end - argv[0]);
    strncpy(argv[0], "worker process", end - argv[0] - 1);
    printf("contiguous %d title %d\n", is_contiguous, strncmp(argv[0], "worker", 6) == 0);
    return 0;
}
