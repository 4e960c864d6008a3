// getopt, getopt_long and getsubopt over several command lines.
#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    int verbose, level;
    char *output, *mount;
    int n_rest;
};

static struct settings parse(int argc, char **argv) {
    static const struct option table[] = {
        {"verbose", no_argument, NULL, 'v'},  {"level", required_argument, NULL, 'l'}, {"output", required_argument, NULL, 'o'},
        {"colour", optional_argument, NULL, 'c'}, {"mount", required_argument, NULL, 1000},  {NULL, 0, NULL, 0},
    };
    struct settings s = {0};
    int c, index;
    optind = 0;
    opterr = 0;
    while ((c = getopt_long(argc, argv, "vl:o:", table, &index)) != -1) {
        switch (c) {
        case 'v': s.verbose++; break;
        case 'l': s.level = atoi(optarg); break;
        case 'o': s.output = optarg; break;
        case 'c': printf("colour %s\n", optarg ? optarg : "default"); break;
        case 1000: s.mount = optarg; break;
        case '?': printf("bad option %c at %d\n", optopt ? optopt : '-', optind); break;
        }
    }
    for (int i = optind; i < argc; i++) printf("rest %s\n", argv[i]);
    s.n_rest = argc - optind;
    return s;
}

int main(void) {
    char *one[] = {"tool", "-vv", "file1", "--level=7", "-o", "out.txt", "file2", NULL};
    struct settings s = parse(7, one);
    printf("%d %d %s %d\n", s.verbose, s.level, s.output, s.n_rest);
    assert(s.verbose == 2 && s.n_rest == 2);
    char *two[] = {"tool", "--colour=red", "--colour", "--lev", "3", "--nonsense", "-x", "--", "-v", NULL};
    s = parse(9, two);
    printf("%d %d\n", s.level, s.n_rest);
    char mount[] = "ro,size=100,name=disk,strange";
    char *three[] = {"tool", "--mount", mount, NULL};
    s = parse(3, three);
    char *const tokens[] = {"ro", "size", "name", NULL};
    char *at = s.mount, *value;
    while (*at) {
        int which = getsubopt(&at, tokens, &value);
        printf("%d %s\n", which, value ? value : "(none)");
    }
    char *four[] = {"tool", "-a", "-bvalue", "rest", "-c", NULL};
    int c, count = 0;
    optind = 0;
    while ((c = getopt(5, four, "+ab:c")) != -1) count = count * 10 + (c - 'a' + 1);
    printf("%d %s\n", count, four[optind]);
    char *five[] = {"tool", "-b", NULL};
    optind = 0;
    assert(getopt(2, five, ":b:") == ':' && optopt == 'b');
    return 0;
}
