// free of a static default value.
#include <stdlib.h>

static char default_name[16] = "anonymous";

struct user {
    char *volatile name;
};

int main(void) {
    struct user user = {default_name};
    free(user.name); // EXPECT: bad-free
    return 0;
}
