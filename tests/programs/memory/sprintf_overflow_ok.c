// The number fills the buffer exactly; snprintf cuts what would not fit.
// STDOUT: 1234567 1234567 9
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    char *text = malloc(8), *cut = malloc(8);
    if (!text || !cut) return 1;
    sprintf(text, "%d%s", 123455 + argc, "7");
    int wanted = snprintf(cut, 8, "%d%s", 123455 + argc, "789");
    printf("%s %s %d\n", text, cut, wanted);
    free(text);
    free(cut);
    return 0;
}
