// POSIX message queues: priorities, attributes, timeouts, a child that answers.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    char name[40];
    snprintf(name, sizeof name, "/queue_%d", (int)getpid());
    struct mq_attr attributes = {.mq_maxmsg = 8, .mq_msgsize = 64}, seen;
    mqd_t queue = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &attributes);
    if (queue == (mqd_t)-1) return 77;
    assert(mq_getattr(queue, &seen) == 0 && seen.mq_maxmsg == 8 && seen.mq_msgsize == 64 && seen.mq_curmsgs == 0);
    const char *texts[] = {"low", "urgent", "normal", "urgent too"};
    const unsigned priorities[] = {1, 9, 5, 9};
    for (int i = 0; i < 4; i++) assert(mq_send(queue, texts[i], strlen(texts[i]) + 1, priorities[i]) == 0);
    char text[64];
    for (int i = 0; i < 4; i++) {
        unsigned priority;
        ssize_t n = mq_receive(queue, text, sizeof text, &priority);
        printf("%u %s %zd\n", priority, text, n);
    }
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec -= 1;
    assert(mq_timedreceive(queue, text, sizeof text, NULL, &until) == -1 && errno == ETIMEDOUT);
    assert(mq_receive(queue, text, 10, NULL) == -1 && errno == EMSGSIZE);

    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        mqd_t mine = mq_open(name, O_WRONLY);
        if (mine == (mqd_t)-1) _exit(1);
        for (int i = 0; i < 5; i++) {
            int n = snprintf(text, sizeof text, "from the child %d", i * i);
            if (mq_send(mine, text, (size_t)n + 1, 0)) _exit(2);
        }
        mq_close(mine);
        _exit(0);
    }
    int status;
    assert(waitpid(child, &status, 0) == child && status == 0);
    for (int i = 0; i < 5; i++) assert(mq_receive(queue, text, sizeof text, NULL) > 0);
    puts(text);
    attributes.mq_flags = O_NONBLOCK;
    assert(mq_setattr(queue, &attributes, &seen) == 0 && seen.mq_flags == 0);
    assert(mq_receive(queue, text, sizeof text, NULL) == -1 && errno == EAGAIN);
    assert(mq_close(queue) == 0 && mq_unlink(name) == 0 && mq_unlink(name) == -1 && errno == ENOENT);
    return 0;
}
