// Shared memory between processes: an anonymous mapping, shm_open, SysV, atomics.
#include <assert.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct table {
    atomic_int counter;
    int slots[4];
    char text[64];
};

static int run_children(struct table *shared) {
    for (int i = 0; i < 4; i++) {
        pid_t pid = fork();
        if (!pid) {
            for (int k = 0; k < 50; k++) atomic_fetch_add(&shared->counter, 1);
            shared->slots[i] = (i + 1) * 10;
            if (i == 2) snprintf(shared->text, sizeof shared->text, "written by child %d", i);
            _exit(i);
        }
    }
    int statuses = 0, status;
    while (wait(&status) > 0) statuses += WEXITSTATUS(status);
    return statuses;
}

static void show(const char *name, struct table *shared) {
    int statuses = run_children(shared), sum = 0;
    for (int i = 0; i < 4; i++) sum += shared->slots[i];
    printf("%s: %d %d %d %s\n", name, statuses, atomic_load(&shared->counter), sum, shared->text);
    assert(atomic_load(&shared->counter) == 200 && sum == 100);
}

int main(void) {
    struct table *anonymous = mmap(NULL, sizeof *anonymous, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(anonymous != MAP_FAILED);
    show("anonymous", anonymous);
    munmap(anonymous, sizeof *anonymous);

    char name[64];
    snprintf(name, sizeof name, "/table_%d", (int)getpid());
    int fd = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
    assert(fd >= 0 && ftruncate(fd, sizeof(struct table)) == 0);
    struct table *named = mmap(NULL, sizeof *named, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    show("named", named);
    struct table *again = mmap(NULL, sizeof *again, PROT_READ, MAP_SHARED, fd, 0);
    assert(again != named && !strcmp(again->text, named->text));
    named->slots[0] = 4711;
    assert(again->slots[0] == 4711);
    munmap(again, sizeof *again), munmap(named, sizeof *named);
    close(fd), shm_unlink(name);
    assert(shm_open(name, O_RDWR, 0) == -1);

    int id = shmget(IPC_PRIVATE, sizeof(struct table), IPC_CREAT | 0600);
    struct table *segment = shmat(id, NULL, 0);
    assert(segment != (void *)-1);
    show("system v", segment);
    struct shmid_ds info;
    assert(shmctl(id, IPC_STAT, &info) == 0 && info.shm_segsz == sizeof(struct table) && info.shm_nattch == 1);
    assert(shmdt(segment) == 0 && shmctl(id, IPC_RMID, NULL) == 0);
    return 0;
}
