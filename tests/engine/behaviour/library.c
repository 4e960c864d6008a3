#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

extern char **environ;

int main(int argc, char **argv, char **variables) {
    void *library = dlopen("libm.so.6", RTLD_NOW);
    if (!library) return 2;
    double (*cosine)(double) = (double (*)(double))dlsym(library, "cos");
    printf("%f\n", cosine(0.5));
    int (*print)(const char *, ...) = (int (*)(const char *, ...))dlsym(RTLD_DEFAULT, "printf");
    print("%d %d\n", 4, dlopen("/no/such/library.so", RTLD_NOW) == NULL);
    int before = 0, after = 0;
    for (char **at = variables; *at; at++) before++;
    setenv("IRSAN_TEST_NAME", "value", 1);
    for (char **at = environ; *at; at++) after++;
    putenv("IRSAN_TEST_OTHER=more");
    printf("%d %s\n", after - before, getenv("IRSAN_TEST_NAME"));
    fflush(stdout);
    system("echo $IRSAN_TEST_NAME $IRSAN_TEST_OTHER");
    unsetenv("IRSAN_TEST_NAME");
    printf("%d %s\n", getenv("IRSAN_TEST_NAME") == NULL, getenv("IRSAN_TEST_GIVEN"));
    return dlclose(library);
}
