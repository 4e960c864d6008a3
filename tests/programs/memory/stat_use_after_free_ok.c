// The twin of stat_use_after_free; a call that fails writes nothing.
// STDOUT: 0 1 -1 /
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
    struct stat *facts = malloc(sizeof *facts);
    if (!facts) return 1;
    int status = stat("/", facts);
    int is_directory = S_ISDIR(facts->st_mode);
    char *path = realpath("/usr/..", NULL);
    printf("%d %d %d %s\n", status, is_directory, fstat(-1, (struct stat *)path), path);
    free(path);
    free(facts);
    return 0;
}
