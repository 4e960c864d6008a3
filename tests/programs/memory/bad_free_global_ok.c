// The twin of bad_free_global: the default is copied, so that every name can be freed.
// STDOUT: anonymous
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char default_name[16] = "anonymous";

struct user {
    char *volatile name;
};

int main(void) {
    struct user user = {strdup(default_name)};
    if (!user.name) return 1;
    puts(user.name);
    free(user.name);
    return 0;
}
