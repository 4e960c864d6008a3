// The system writes a struct sched_param into two bytes.
#include <sched.h>
#include <stdlib.h>

int main(void) {
    struct sched_param *parameter = malloc(2);
    int status = sched_getparam(0, parameter); // EXPECT: heap-buffer-overflow write 4
    free(parameter);
    return status;
}
