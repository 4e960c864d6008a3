// A pseudo terminal: raw and cooked modes, window size, a child on the other side.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static size_t read_until(int fd, char *text, size_t room, const char *end) {
    size_t got = 0;
    text[0] = 0;
    while (!strstr(text, end)) {
        ssize_t n = read(fd, text + got, room - 1 - got);
        if (n <= 0) break;
        got += (size_t)n;
        text[got] = 0;
    }
    return got;
}

int main(void) {
    int leader = posix_openpt(O_RDWR | O_NOCTTY);
    assert(leader >= 0 && grantpt(leader) == 0 && unlockpt(leader) == 0);
    char *name = ptsname(leader);
    assert(name && !strncmp(name, "/dev/pts/", 9));
    int follower = open(name, O_RDWR | O_NOCTTY);
    assert(follower >= 0 && isatty(follower) && !isatty(open("/dev/null", O_RDONLY)));

    struct winsize size = {.ws_row = 24, .ws_col = 80}, seen;
    assert(ioctl(leader, TIOCSWINSZ, &size) == 0 && ioctl(follower, TIOCGWINSZ, &seen) == 0);
    printf("%dx%d\n", seen.ws_row, seen.ws_col);
    struct termios mode;
    assert(tcgetattr(follower, &mode) == 0 && (mode.c_lflag & ICANON));
    mode.c_lflag &= ~(tcflag_t)ECHO;
    assert(tcsetattr(follower, TCSANOW, &mode) == 0);

    char text[256];
    assert(write(leader, "hellp\177o\nrest", 12) == 12);
    ssize_t n = read(follower, text, sizeof text);
    text[n] = 0;
    printf("cooked %zd %s", n, text);
    tcflush(follower, TCIFLUSH);

    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        setsid();
        ioctl(follower, TIOCSCTTY, 0);
        dup2(follower, 0), dup2(follower, 1), dup2(follower, 2);
        close(leader), close(follower);
        execl("/bin/sh", "sh", "-c", "read line; echo \"got <$line>\"; test -t 0 && echo tty", (char *)NULL);
        _exit(127);
    }
    close(follower);
    assert(write(leader, "from the leader\n", 16) == 16);
    read_until(leader, text, sizeof text, "tty");
    printf("%s\n", strstr(text, "got <from the leader>") ? "answered" : text);
    int status;
    assert(waitpid(child, &status, 0) == child);
    printf("status %d\n", WEXITSTATUS(status));
    close(leader);
    return 0;
}
