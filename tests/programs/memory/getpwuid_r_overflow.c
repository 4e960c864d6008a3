// The entry of the user table does not fit where it goes.
// NATIVE: miss the top frame of its report is a helper of the runtime
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    struct passwd *entry = malloc(sizeof(struct passwd) - 8); // ALLOCATED
    struct passwd *found = NULL;
    char texts[1024];
    getpwuid_r(0, entry, texts, sizeof texts, &found); // EXPECT: heap-buffer-overflow write 48
    puts(found ? found->pw_name : "nobody");
    free(entry);
    return 0;
}
