// Names of files: glob, fnmatch, wordexp, scandir, nftw, realpath, basename.
#include <assert.h>
#include <dirent.h>
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

static int n_files, n_folders, deepest;
static long long bytes;

static int visit(const char *path, const struct stat *info, int kind, struct FTW *where) {
    if (kind == FTW_F) n_files++, bytes += info->st_size;
    if (kind == FTW_D || kind == FTW_DP) n_folders++;
    if (where->level > deepest) deepest = where->level;
    return path ? 0 : 1;
}
static int erase(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info, (void)kind, (void)where;
    return remove(path);
}
static int only_c(const struct dirent *entry) { return fnmatch("*.c", entry->d_name, 0) == 0; }

int main(void) {
    char folder[] = "/tmp/namesXXXXXX", path[PATH_MAX];
    assert(mkdtemp(folder) && chdir(folder) == 0);
    assert(mkdir("sub", 0755) == 0 && mkdir("sub/deep", 0755) == 0);
    const char *names[] = {"b.c", "a.c", "c.h", "sub/d.c", "sub/deep/e.txt", ".hidden.c"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        FILE *file = fopen(names[i], "w");
        fprintf(file, "%0*zu", (int)i * 10 + 1, i);
        fclose(file);
    }
    glob_t found;
    assert(glob("*.c", 0, NULL, &found) == 0);
    assert(glob("sub/*", GLOB_APPEND | GLOB_MARK, NULL, &found) == 0);
    for (size_t i = 0; i < found.gl_pathc; i++) printf("%s ", found.gl_pathv[i]);
    printf("%zu\n", found.gl_pathc);
    globfree(&found);
    assert(glob("nothing*", 0, NULL, &found) == GLOB_NOMATCH);
    assert(glob("nothing*", GLOB_NOCHECK, NULL, &found) == 0 && !strcmp(found.gl_pathv[0], "nothing*"));
    globfree(&found);

    setenv("NAME", "two words", 1);
    wordexp_t words;
    assert(wordexp("plain \"$NAME\" $NAME *.h 'single $NAME'", &words, 0) == 0);
    for (size_t i = 0; i < words.we_wordc; i++) printf("<%s>", words.we_wordv[i]);
    puts("");
    wordfree(&words);
    assert(wordexp("a | b", &words, 0) == WRDE_BADCHAR);

    struct dirent **entries;
    int n = scandir(".", &entries, only_c, alphasort);
    for (int i = 0; i < n; i++) {
        printf("%s ", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    printf("%d\n", n);
    assert(nftw(".", visit, 8, FTW_PHYS) == 0);
    printf("%d files %d folders depth %d bytes %lld\n", n_files, n_folders, deepest, bytes);
    assert(realpath("sub/../sub/./deep", path) && !strcmp(path + strlen(path) - 9, "/sub/deep"));
    char a[] = "/usr/lib/libx.so", b[] = "/usr/lib/libx.so";
    printf("%s %s\n", basename(a), dirname(b));
    assert(chdir("/") == 0 && nftw(folder, erase, 8, FTW_DEPTH | FTW_PHYS) == 0 && access(folder, F_OK) == -1);
    return 0;
}
