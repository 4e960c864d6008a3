// System V semaphores, message queues and ftok between a parent and its child.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

union semun {
    int val;
    struct semid_ds *buf;
    unsigned short *array;
};
struct letter {
    long type;
    char text[48];
};

static void change(int set, unsigned short which, short by) {
    struct sembuf step = {which, by, 0};
    while (semop(set, &step, 1) == -1) assert(errno == EINTR);
}

int main(void) {
    int set = semget(IPC_PRIVATE, 2, IPC_CREAT | 0600), queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
    assert(set >= 0 && queue >= 0);
    unsigned short start[2] = {1, 0};
    assert(semctl(set, 0, SETALL, (union semun){.array = start}) == 0);

    pid_t child = fork();
    if (!child) {
        struct letter letter;
        change(set, 1, -1);
        ssize_t n = msgrcv(queue, &letter, sizeof letter.text, 2, 0);
        if (n < 0) _exit(1);
        for (char *c = letter.text; *c; c++)
            if (*c >= 'a' && *c <= 'z') *c -= 32;
        letter.type = 9;
        if (msgsnd(queue, &letter, strlen(letter.text) + 1, 0)) _exit(2);
        change(set, 0, 4);
        _exit(0);
    }
    struct letter letter = {.type = 1, .text = "for nobody"};
    assert(msgsnd(queue, &letter, strlen(letter.text) + 1, 0) == 0);
    letter = (struct letter){.type = 2, .text = "for the child"};
    assert(msgsnd(queue, &letter, strlen(letter.text) + 1, 0) == 0);
    change(set, 1, 1);
    change(set, 0, -5);
    int status;
    waitpid(child, &status, 0);
    assert(status == 0);
    ssize_t n = msgrcv(queue, &letter, sizeof letter.text, 9, IPC_NOWAIT);
    printf("%zd %s\n", n, letter.text);
    n = msgrcv(queue, &letter, 4, 0, MSG_NOERROR);
    printf("%zd %.4s\n", n, letter.text);
    assert(msgrcv(queue, &letter, sizeof letter.text, 0, IPC_NOWAIT) == -1 && errno == ENOMSG);
    struct msqid_ds info;
    assert(msgctl(queue, IPC_STAT, &info) == 0 && info.msg_qnum == 0);
    printf("%d %d\n", semctl(set, 0, GETVAL), semctl(set, 1, GETVAL));
    struct sembuf both[] = {{0, 1, 0}, {1, -1, IPC_NOWAIT}};
    assert(semop(set, both, 2) == -1 && errno == EAGAIN && semctl(set, 0, GETVAL) == 0);
    assert(semctl(set, 0, IPC_RMID) == 0 && msgctl(queue, IPC_RMID, NULL) == 0);
    assert(ftok("/tmp", 'a') == ftok("/tmp", 'a') && ftok("/no/such", 1) == -1);
    return 0;
}
