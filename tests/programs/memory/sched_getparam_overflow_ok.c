// The system writes a struct sched_param where there is one.
// EXIT: 0
#include <sched.h>
#include <stdlib.h>

int main(void) {
    struct sched_param *parameter = malloc(sizeof *parameter);
    int status = sched_getparam(0, parameter);
    free(parameter);
    return status;
}
