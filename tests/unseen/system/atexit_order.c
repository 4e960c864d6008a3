// Constructors, destructors, atexit, buffered output and exit from a nested call.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char journal[256];
static void note(const char *text) {
    strcat(journal, text);
    strcat(journal, " ");
}

__attribute__((constructor(101))) static void early(void) { note("early"); }
__attribute__((constructor(102))) static void later(void) { note("later"); }
__attribute__((constructor)) static void plain(void) { note("plain"); }
__attribute__((destructor)) static void last(void) {
    note("destructor");
    printf("%s\n", journal);
}

static char *buffer;
static void free_buffer(void) {
    note("free_buffer");
    free(buffer);
}
static void nested(void) { note("nested"); }
static void second(void) {
    note("second");
    atexit(nested);
}
static void first(void) { note("first"); }

int weak_value __attribute__((weak)) = 5;
extern int never_defined(void) __attribute__((weak));
static int resolved(void) { return 77; }
static int (*resolve(void))(void) { return resolved; }
int indirect(void) __attribute__((ifunc("resolve")));

static void deep(int n) {
    if (n == 0) exit(3);
    deep(n - 1);
    note("never");
}

static void cleanup(int *value) {
    char text[16];
    snprintf(text, sizeof text, "cleanup%d", *value);
    note(text);
}

int main(int argc, char **argv) {
    note("main");
    assert(argc == 1 && argv[1] == NULL && argv[0][0]);
    buffer = malloc(100);
    assert(atexit(free_buffer) == 0 && atexit(first) == 0 && atexit(second) == 0);
    {
        int scoped __attribute__((cleanup(cleanup))) = 1;
        int other __attribute__((cleanup(cleanup))) = 2;
        scoped += 10, other += 10;
    }
    printf("%d %d %d\n", weak_value, never_defined ? never_defined() : -1, indirect());
    printf("no newline at the end of this line");
    deep(5);
}
