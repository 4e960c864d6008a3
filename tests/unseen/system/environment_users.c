// The environment, users and groups, host names, configuration, random numbers, errors as text.
#include <assert.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char **environ;

static int count(const char *prefix) {
    int n = 0;
    for (char **at = environ; at && *at; at++) n += !strncmp(*at, prefix, strlen(prefix));
    return n;
}

int main(void) {
    assert(setenv("UNSEEN_A", "one", 1) == 0 && setenv("UNSEEN_A", "two", 0) == 0);
    assert(!strcmp(getenv("UNSEEN_A"), "one") && setenv("UNSEEN_A", "a much longer value than before", 1) == 0);
    static char put[] = "UNSEEN_B=put here";
    assert(putenv(put) == 0);
    put[9] = 'P';
    printf("%s, %s, %d\n", getenv("UNSEEN_A"), getenv("UNSEEN_B"), count("UNSEEN_"));
    assert(setenv("BAD=NAME", "x", 1) == -1 && errno == EINVAL);
    assert(unsetenv("UNSEEN_A") == 0 && !getenv("UNSEEN_A") && count("UNSEEN_") == 1);
    assert(!secure_getenv("UNSEEN_A") && clearenv() == 0 && count("") == 0);
    setenv("AFTER", "clear", 1);
    assert(count("") == 1);

    struct passwd *me = getpwuid(getuid()), entry, *found = NULL;
    assert(me && me->pw_dir);
    char buffer[4096], *name = strdup(me->pw_name);
    assert(getpwnam_r(name, &entry, buffer, sizeof buffer, &found) == 0 && found && found->pw_uid == getuid());
    free(name);
    assert(getpwnam_r("no such user here", &entry, buffer, sizeof buffer, &found) == 0 && !found);
    struct group *root = getgrgid(0);
    printf("%s\n", root ? root->gr_name : "none");
    gid_t groups[NGROUPS_MAX];
    assert(getgroups(NGROUPS_MAX, groups) >= 0);

    struct utsname system;
    char host[HOST_NAME_MAX + 1];
    assert(uname(&system) == 0 && gethostname(host, sizeof host) == 0 && !strcmp(host, system.nodename));
    printf("%s %ld\n", system.sysname, sysconf(_SC_PAGESIZE));
    char path[64];
    size_t needed = confstr(_CS_PATH, path, sizeof path);
    assert(needed > 0 && pathconf("/", _PC_NAME_MAX) == 255);
    unsigned char bytes[32] = {0};
    assert(getrandom(bytes, sizeof bytes, 0) == sizeof bytes && getentropy(bytes, 8) == 0);

    srand(42), srandom(42), srand48(42);
    int a = rand(), d;
    long b = random();
    double c = drand48();
    srand(42), srandom(42), srand48(42);
    assert(rand() == a && random() == b && drand48() == c && c < 1.0);
    unsigned state = 7;
    d = rand_r(&state);
    struct random_data data = {0};
    char room[64];
    int32_t value;
    assert(initstate_r(1, room, sizeof room, &data) == 0 && random_r(&data, &value) == 0 && d >= 0 && value >= 0);
    char text[64];
    printf("%s, %s\n", strerror(EACCES), strerror_r(ENOENT, text, sizeof text));
    errno = ERANGE;
    fflush(stdout);
    perror("perror says");
    errno = EPERM;
    printf("%m, %s\n", strsignal(15));
    return 0;
}
