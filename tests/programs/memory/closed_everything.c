// The program has closed, lowered and left what it could: the report comes all the same.
// NATIVE: skip its report goes to a descriptor that is closed
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void leave_everything(void) {
    struct rlimit none = {0, 0}, little = {1 << 20, 1 << 20};
    sigset_t signals;
    for (int i = 0; i < 1024; i++) close(i);
    setrlimit(RLIMIT_NOFILE, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    setrlimit(RLIMIT_NPROC, &none);
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_AS, &little);
    setrlimit(RLIMIT_DATA, &little);
    setrlimit(RLIMIT_STACK, &little);
    chdir("/");
    umask(0777);
    setlocale(LC_ALL, "");
    fesetround(FE_UPWARD);
    sigfillset(&signals);
    sigprocmask(SIG_BLOCK, &signals, NULL);
}

int main(void) {
    char *block = malloc(10); // ALLOCATED
    leave_everything();
    free(block);     // FREED
    return block[3]; // EXPECT: heap-use-after-free read 1
}
