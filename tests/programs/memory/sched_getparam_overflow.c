// The system writes a struct sched_param into two bytes.
#include <sched.h>
#include <stdlib.h>

int main(void) {
    char *parameter = malloc(2);
    int status = sched_getparam(0, (struct sched_param *)parameter); // EXPECT: heap-buffer-overflow write 4
    free(parameter);
    return status;
}
