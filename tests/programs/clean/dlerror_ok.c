// dlerror says what dlsym or dlopen failed with, once.
// STDOUT: library 1, program 1, once 1, file 1
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int says(const char *text, const char *what) {
    return text != NULL && strstr(text, what) != NULL;
}

int main(void) {
    void *library = dlopen("libm.so.6", RTLD_LAZY);
    dlerror();
    dlsym(library, "no_such_a");
    int in_library = says(dlerror(), "libm.so.6: undefined symbol: no_such_a");
    dlsym(RTLD_DEFAULT, "no_such_b");
    const char *text = dlerror();
    int in_program = says(text, "undefined symbol: no_such_b");
    int once = dlerror() == NULL;
    dlopen("/no/such/file.so", RTLD_NOW);
    text = dlerror();
    int of_file = says(text, "/no/such/file.so: cannot open shared object file");
    dlclose(library);
    printf("library %d, program %d, once %d, file %d\n", in_library, in_program, once, of_file);
    return 0;
}
