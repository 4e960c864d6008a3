// A child that has nothing to tell, ended by _exit.
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int status;
    if (fork() == 0) _exit(3);
    return wait(&status) > 0 && WEXITSTATUS(status) == 3 ? 0 : 1;
}
