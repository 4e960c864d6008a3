// A thread that waits at a queue, a semaphore or a pipe lets others run, and knows what they did.
// NATIVE: false-alarm TSan knows no order of message queues and semaphores of System V
// STDOUT: msgrcv 1
// STDOUT: msgsnd 1
// STDOUT: semop 1
// STDOUT: mq_receive 1
// STDOUT: mq_send 1
// STDOUT: splice 1
// STDOUT: tee 1
// STDOUT: pipe that never waits 1
// STDOUT: open to read 1
// STDOUT: open to write 1
// STDOUT: fopen to read 1
// STDOUT: fopen to write 1
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MSGRCV, MSGSND, SEMOP, MQ_RECEIVE, MQ_SEND, SPLICE, TEE, NEVER, OPEN_R, OPEN_W, FOPEN_R,
    FOPEN_W, N
};
static const char *const names[N] = {
    "msgrcv", "msgsnd", "semop", "mq_receive", "mq_send", "splice", "tee",
    "pipe that never waits", "open to read", "open to write", "fopen to read", "fopen to write"};
struct message { long kind; char text[1000]; };

static int way, id, from[2], to[2], told;
static char fifo[64], queue[64];

static void receive_all(void) {
    struct message one;
    while (msgrcv(id, &one, sizeof one.text, 0, IPC_NOWAIT) >= 0) continue;
}

static void *other(void *unused) {
    struct message one = {1, "text"};
    struct sembuf up = {0, 1, 0};
    char byte;
    usleep(20000);
    told = 1;
    switch (way) {
    case MSGRCV: msgsnd(id, &one, 5, 0); break;
    case MSGSND: receive_all(); break;
    case SEMOP: semop(id, &up, 1); break;
    case MQ_RECEIVE: mq_send(id, "a", 1, 0); break;
    case MQ_SEND: mq_receive(id, one.text, sizeof one.text, NULL); break;
    case SPLICE: case TEE: if (write(from[1], "hello", 5) != 5) abort(); break;
    case NEVER: break;
    case OPEN_R: case FOPEN_R:
        id = open(fifo, O_WRONLY);
        if (write(id, "hello", 5) != 5) abort();
        close(id);
        break;
    default:
        id = open(fifo, O_RDONLY);
        if (read(id, &byte, 1) != 1) abort();
        close(id);
    }
    return unused;
}

static int waits(void) {
    struct message one = {1, ""};
    struct sembuf down = {0, -1, 0};
    char text[16];
    FILE *stream;
    int file, is_right, never[2];
    switch (way) {
    case MSGRCV: return msgrcv(id, &one, sizeof one.text, 0, 0) == 5 && told;
    case MSGSND:
        while (msgsnd(id, &one, sizeof one.text, IPC_NOWAIT) == 0) continue;
        return errno == EAGAIN && msgsnd(id, &one, sizeof one.text, 0) == 0;
    case SEMOP: return semop(id, &down, 1) == 0 && told;
    case MQ_RECEIVE: return mq_receive(id, text, sizeof text, NULL) == 1 && told;
    case MQ_SEND: return mq_send(id, "a", 1, 0) == 0 && mq_send(id, "b", 1, 0) == 0;
    case SPLICE: return splice(from[0], NULL, to[1], NULL, 100, 0) == 5;
    case TEE: return tee(from[0], to[1], 100, 0) == 5;
    case NEVER:
        if (pipe2(never, O_NONBLOCK)) return 0;
        is_right = splice(never[0], NULL, to[1], NULL, 9, 0) < 0 && errno == EAGAIN;
        return tee(never[0], to[1], 9, 0) < 0 && errno == EAGAIN && is_right;
    case OPEN_R:
        file = open(fifo, O_RDONLY);
        is_right = read(file, text, 5) == 5 && (fcntl(file, F_GETFL) & O_NONBLOCK) == 0;
        return close(file) == 0 && is_right;
    case OPEN_W:
        file = open(fifo, O_WRONLY | O_APPEND);
        is_right = write(file, "a", 1) == 1 && fcntl(file, F_GETFL) & O_APPEND;
        return close(file) == 0 && is_right;
    case FOPEN_R:
        stream = fopen(fifo, "r");
        is_right = stream != NULL && fgets(text, sizeof text, stream) && !strcmp(text, "hello");
        return fclose(stream) == 0 && is_right;
    default:
        stream = fopen(fifo, "w");
        is_right = stream != NULL && fputc('a', stream) == 'a';
        return fclose(stream) == 0 && is_right;
    }
}

int main(void) {
    struct mq_attr room = {.mq_maxmsg = 1, .mq_msgsize = 16};
    snprintf(fifo, sizeof fifo, "/tmp/irsan-fifo-%d", (int)getpid());
    snprintf(queue, sizeof queue, "/irsan-queue-%d", (int)getpid());
    if (mkfifo(fifo, 0600) || pipe(from) || pipe(to)) return 1;
    for (way = 0; way < N; way++) {
        pthread_t thread;
        told = 0;
        if (way <= MSGSND) id = msgget(IPC_PRIVATE, 0600);
        if (way == SEMOP) id = semget(IPC_PRIVATE, 1, 0600);
        if (way == MQ_RECEIVE || way == MQ_SEND) id = mq_open(queue, O_CREAT | O_RDWR, 0600, &room);
        pthread_create(&thread, NULL, other, NULL);
        int is_right = waits();
        pthread_join(thread, NULL);
        printf("%s %d\n", names[way], is_right);
        if (way <= MSGSND) msgctl(id, IPC_RMID, NULL);
        if (way == SEMOP) semctl(id, 0, IPC_RMID);
        if (way == MQ_RECEIVE || way == MQ_SEND) mq_close(id), mq_unlink(queue);
        if (way == SPLICE && read(to[0], queue, 5) != 5) return 1;
    }
    unlink(fifo);
    return 0;
}
