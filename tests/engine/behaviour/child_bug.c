#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    if (fork() == 0) {
        volatile char *block = malloc(8);
        free((void *)block);
        return block[3];
    }
    int status;
    wait(&status);
    return WEXITSTATUS(status) == 66 ? 0 : 1;
}
