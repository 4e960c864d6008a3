// Arguments and environment reach the program.
// ARGS: one "two words" 3
// FLAGS: PROGRAM_MODE=quiet
// STDOUT: 4 arguments
// STDOUT: [one] [two words] [3]
// STDOUT: mode quiet, unset none
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    printf("%d arguments\n", argc);
    for (int i = 1; i < argc; i++) printf("[%s]%c", argv[i], i + 1 < argc ? ' ' : '\n');
    const char *mode = getenv("PROGRAM_MODE"), *unset = getenv("PROGRAM_NOT_SET");
    printf("mode %s, unset %s\n", mode ? mode : "none", unset ? unset : "none");
    return 0;
}
