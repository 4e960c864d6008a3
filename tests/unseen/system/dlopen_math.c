// Libraries opened at run time: symbols, handles, errors, the program's own symbols.
#include <assert.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int exported_by_program(int x) { return x * 3; }

typedef double (*unary)(double);

int main(void) {
    void *library = dlopen("libm.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    dlerror();
    unary cosine = (unary)dlsym(library, "cos"), root = (unary)dlsym(library, "sqrt");
    assert(!dlerror() && cosine && root);
    printf("%.6f %.6f\n", cosine(0.5), root(2.0));
    assert(fabs(cosine(1.0) - cos(1.0)) < 1e-15);
    assert(!dlsym(library, "no_such_symbol_anywhere"));
    const char *error = dlerror();
    assert(error && strstr(error, "no_such_symbol_anywhere"));
    assert(!dlerror());

    void *second = dlopen("libm.so.6", RTLD_NOW);
    assert(second == library);
    assert(dlclose(second) == 0);
    printf("%.3f\n", cosine(0.0));
    assert(dlclose(library) == 0);

    assert(!dlopen("/no/such/library.so", RTLD_NOW));
    error = dlerror();
    assert(error && strstr(error, "/no/such/library.so"));
    assert(!dlopen("libm.so.6.nothing", RTLD_NOW | RTLD_NOLOAD));
    dlerror();

    void *self = dlopen(NULL, RTLD_NOW);
    assert(self);
    size_t (*length)(const char *) = (size_t(*)(const char *))dlsym(self, "strlen");
    assert(length && length("twelve chars") == 12);
    int (*compare)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_DEFAULT, "strcmp");
    assert(compare && compare("a", "a") == 0 && compare("a", "b") < 0);
    dlclose(self);
    printf("%d\n", exported_by_program(14));
    return 0;
}
