// Which of the standard descriptors are closed when a program starts, told to descriptor 3.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char text[64];
    int used = 0;
    for (int i = 0; i < 3; i++) {
        int is_open = fcntl(i, F_GETFD) >= 0;
        used += snprintf(text + used, sizeof text - used, "%d %s\n", i, is_open ? "open" : "closed");
    }
    for (int i = 0; i < 3; i++)
        if (fcntl(i, F_GETFD) < 0)
            used += snprintf(text + used, sizeof text - used, "dup %d\n", dup(3));
    return write(3, text, used) != used;
}
