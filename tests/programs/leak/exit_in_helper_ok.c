// A list is held by a local of main while a function of the program that never returns ends it.
// STDOUT: 2
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static _Noreturn __attribute__((noinline)) void end(int status) {
    printf("%d\n", status);
    exit(0);
}

int main(int argc, char **argv) {
    (void)argv;
    struct node *first = NULL;
    for (int i = 0; i < 2; i++) {
        struct node *made = malloc(sizeof *made);
        made->next = first;
        made->value = i + argc;
        first = made;
    }
    end(first->value);
}
