// Root has gone into a folder of its own and become nobody: the report has its lines still.
// NATIVE: skip where it is, there is nothing to symbolise with
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    char folder[] = "/tmp/irsan-jail-XXXXXX";
    char *block = malloc(10); // ALLOCATED
    if (mkdtemp(folder) && geteuid() == 0) {
        chmod(folder, 0711);
        if (chdir(folder) || chroot(".") || rmdir(folder)) chdir("/");
        if (setgid(65534) || setuid(65534)) return 1;
    }
    free(block);     // FREED
    return block[3]; // EXPECT: heap-use-after-free read 1
}
