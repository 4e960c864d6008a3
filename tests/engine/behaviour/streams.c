#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    char line[100], block[1000];
    printf("name? ");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) && strcmp(line, "end\n")) {
        printf("hello %s", line);
        fflush(stdout);
    }
    memset(block, 'x', sizeof block);
    if (argc > 1)
        for (int i = 0; i < 100000; i++) fwrite(block, 1, sizeof block, stdout);
    return 0;
}
