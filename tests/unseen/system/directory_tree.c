// Directories: opendir, readdir, seekdir, the *at functions, links, stat, times, umask, renameat.
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void list(int at, const char *name) {
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY);
    DIR *folder = fdopendir(fd);
    assert(folder);
    char *names[32];
    size_t n = 0;
    struct dirent *entry;
    while ((entry = readdir(folder))) {
        if (entry->d_name[0] == '.') continue;
        struct stat info;
        assert(fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0);
        char type = S_ISDIR(info.st_mode) ? 'd' : S_ISLNK(info.st_mode) ? 'l' : 'f';
        char *text = NULL;
        assert(asprintf(&text, "%c%03o:%s:%ld", type, type == 'l' ? 0 : info.st_mode & 0777, entry->d_name, type == 'f' ? (long)info.st_size : 0L) > 0);
        names[n++] = text;
    }
    rewinddir(folder);
    assert(readdir(folder));
    closedir(folder);
    qsort(names, n, sizeof *names, compare);
    for (size_t i = 0; i < n; i++) {
        printf("%s ", names[i]);
        free(names[i]);
    }
    printf("(%zu)\n", n);
}

int main(void) {
    char root[] = "/tmp/treeXXXXXX", target[PATH_MAX], here[PATH_MAX];
    assert(mkdtemp(root));
    mode_t old = umask(027);
    int at = open(root, O_RDONLY | O_DIRECTORY);
    assert(at >= 0 && mkdirat(at, "sub", 0777) == 0);
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "file%d", i);
        int fd = openat(at, name, O_CREAT | O_WRONLY | O_EXCL, 0666);
        for (int k = 0; k <= i; k++) assert(write(fd, "0123456789", 10) == 10);
        close(fd);
    }
    umask(old);
    assert(symlinkat("file1", at, "soft") == 0 && linkat(at, "file2", at, "sub/hard", 0) == 0);
    ssize_t n = readlinkat(at, "soft", target, sizeof target);
    printf("%.*s\n", (int)n, target);
    list(at, ".");
    assert(renameat(at, "file0", at, "sub/moved") == 0 && fchmodat(at, "sub/moved", 0600, 0) == 0);
    list(at, "sub");
    struct stat one, two;
    assert(fstatat(at, "file2", &one, 0) == 0 && fstatat(at, "sub/hard", &two, 0) == 0 && one.st_ino == two.st_ino && one.st_nlink == 2);
    struct timespec times[2] = {{1000, 0}, {2000, 500}};
    assert(utimensat(at, "file1", times, 0) == 0 && fstatat(at, "soft", &one, 0) == 0 && one.st_mtim.tv_sec == 2000 && one.st_atime == 1000);
    assert(faccessat(at, "absent", F_OK, 0) == -1 && errno == ENOENT && unlinkat(at, "sub", 0) == -1);
    struct statvfs space;
    assert(fstatvfs(at, &space) == 0 && space.f_bsize > 0);
    assert(fchdir(at) == 0 && getcwd(here, sizeof here) && !strcmp(here, root));
    char *own = get_current_dir_name();
    assert(!strcmp(own, root));
    free(own);
    assert(truncate("file1", 5) == 0 && stat("file1", &one) == 0 && one.st_size == 5);
    const char *names[] = {"file1", "file2", "soft", "sub/hard", "sub/moved"};
    for (int i = 0; i < 5; i++) assert(unlinkat(at, names[i], 0) == 0);
    assert(unlinkat(at, "sub", AT_REMOVEDIR) == 0 && chdir("/") == 0 && rmdir(root) == 0);
    close(at);
    return 0;
}
