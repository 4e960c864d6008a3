// The owner is freed, what it owned is not: freed memory keeps nothing alive.
#include <stdlib.h>
#include <string.h>

struct user {
    char *name;
};

static struct user *volatile user;

int main(void) {
    user = malloc(sizeof *user);
    user->name = strdup("somebody"); // EXPECT: direct-leak 9
    free(user);
    return 0;
}
