// A server forks its workers beforehand: they take turns at accept by a mutex in shared memory.
// STDOUT: 6 answers, 6 counted
#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_WORKERS = 2, N_EACH = 3 };
static struct scoreboard {
    pthread_mutex_t accepting;
    int n_served;
} *board;

static void serve(int listener) {
    for (int i = 0; i < N_EACH; i++) {
        pthread_mutex_lock(&board->accepting);
        int peer = accept(listener, NULL, NULL);
        board->n_served++;
        pthread_mutex_unlock(&board->accepting);
        char request[8] = "";
        read(peer, request, sizeof request - 1);
        write(peer, request, strlen(request));
        close(peer);
    }
    kill(getpid(), SIGKILL);
}

static int ask(struct sockaddr_in *server) {
    char answer[8] = "";
    int peer = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(peer, (struct sockaddr *)server, sizeof *server)) return 0;
    write(peer, "ping", 4);
    usleep(1000);
    read(peer, answer, sizeof answer - 1);
    close(peer);
    return strcmp(answer, "ping") == 0;
}

int main(void) {
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_t shared;
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&board->accepting, &shared);
    struct sockaddr_in server = {.sin_family = AF_INET};
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof server;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&server, size);
    listen(listener, 8);
    getsockname(listener, (struct sockaddr *)&server, &size);
    for (int i = 0; i < N_WORKERS; i++)
        if (fork() == 0) serve(listener);
    int n_answers = 0;
    for (int i = 0; i < N_WORKERS * N_EACH; i++) n_answers += ask(&server);
    while (wait(NULL) > 0) {}
    printf("%d answers, %d counted\n", n_answers, board->n_served);
    return 0;
}
