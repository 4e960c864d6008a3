// Changes in a directory are watched with inotify.
#include <assert.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/watchXXXXXX";

static char *join(const char *name) {
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text) {
    FILE *file = fopen(join(name), "w");
    assert(file);
    fputs(text, file);
    fclose(file);
}

static const char *word(unsigned mask) {
    return mask & IN_CREATE ? "create" : mask & IN_CLOSE_WRITE ? "written" : mask & IN_MOVED_FROM ? "from"
         : mask & IN_MOVED_TO ? "to" : mask & IN_DELETE ? "delete" : "other";
}

int main(void) {
    assert(mkdtemp(folder));
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    int watch = inotify_add_watch(fd, folder, IN_CREATE | IN_CLOSE_WRITE | IN_MOVE | IN_DELETE);
    assert(fd >= 0 && watch > 0);
    put("first.txt", "one");
    char old[PATH_MAX];
    strcpy(old, join("first.txt"));
    assert(rename(old, join("second.txt")) == 0);
    assert(mkdir(join("sub"), 0700) == 0);
    assert(unlink(join("second.txt")) == 0 && rmdir(join("sub")) == 0);

    struct pollfd ready = {.fd = fd, .events = POLLIN};
    assert(poll(&ready, 1, 1000) == 1);
    _Alignas(struct inotify_event) char buffer[4096];
    ssize_t n;
    unsigned cookie = 0;
    int events = 0;
    while ((n = read(fd, buffer, sizeof buffer)) > 0) {
        for (char *at = buffer; at < buffer + n;) {
            struct inotify_event *event = (struct inotify_event *)at;
            printf("%s %s%s\n", word(event->mask), event->name, event->mask & IN_ISDIR ? "/" : "");
            if (event->mask & IN_MOVED_FROM) cookie = event->cookie;
            if (event->mask & IN_MOVED_TO) assert(event->cookie == cookie);
            at += sizeof *event + event->len;
            events++;
        }
    }
    assert(inotify_rm_watch(fd, watch) == 0 && inotify_rm_watch(fd, watch) == -1);
    close(fd);
    rmdir(folder);
    printf("%d events\n", events);
    return 0;
}
