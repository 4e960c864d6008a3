// What a program can ask about itself: its name, its path, its functions and variables.
// STDOUT: name 1 path 1 dladdr own_function 1 dlsym 1 1 1 backtrace 1 phdr 1 execfn 1
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <libgen.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

int own_variable = 3;

__attribute__((noinline)) int own_function(void) {
    void *calls[32];
    int n_calls = backtrace(calls, 32), is_found = 0;
    char **names = backtrace_symbols(calls, n_calls);
    for (int i = 0; i < n_calls; i++) is_found |= strstr(names[i], "own_function") != NULL;
    free(names);
    return is_found;
}

static int holds_main(struct dl_phdr_info *info, size_t size, void *found) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        ElfW(Addr) offset = (ElfW(Addr))own_function - (info->dlpi_addr + part->p_vaddr);
        if (part->p_type == PT_LOAD && offset < part->p_memsz) *(int *)found = 1;
    }
    return *(int *)found;
}

int main(int argc, char **argv) {
    char path[4096] = "", *start = strrchr(argv[0], '/');
    Dl_info info = {0};
    int is_there = 0;
    int is_named = strcmp(program_invocation_short_name, start ? start + 1 : argv[0]) == 0;
    readlink("/proc/self/exe", path, sizeof path - 1);
    dladdr((void *)own_function, &info);
    int *variable = dlsym(dlopen(NULL, RTLD_NOW), "own_variable");
    void *by_default = dlsym(RTLD_DEFAULT, "own_function");
    void *(*allocate)(size_t) = dlsym(RTLD_NEXT, "malloc");
    dl_iterate_phdr(holds_main, &is_there);
    void *block = allocate(10);
    free(block);
    const char *started = (const char *)getauxval(AT_EXECFN);
    printf("name %d path %d dladdr %s %d dlsym %d %d %d backtrace %d phdr %d execfn %d\n", is_named,
           strcmp(basename(path), program_invocation_short_name) == 0, info.dli_sname,
           info.dli_saddr == (void *)own_function, *variable == own_variable,
           by_default == (void *)own_function, block != NULL, own_function(), is_there,
           strcmp(started, path) == 0);
    return 0;
}
