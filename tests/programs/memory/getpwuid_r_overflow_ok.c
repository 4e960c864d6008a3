// The twin of getpwuid_r_overflow.
// STDOUT: root
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    struct passwd *entry = malloc(sizeof(struct passwd));
    struct passwd *found = NULL;
    char texts[1024];
    getpwuid_r(0, entry, texts, sizeof texts, &found);
    puts(found ? found->pw_name : "nobody");
    free(entry);
    return 0;
}
