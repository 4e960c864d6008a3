// Thread-locals of a library that the program opens, and closes again, are each thread's own.
#include <cstdio>
#include <dlfcn.h>
#include <thread>

static int (*open_counter(void **handle))() {
    *handle = dlopen("./libcounter.so", RTLD_NOW);
    return *handle ? reinterpret_cast<int (*)()>(dlsym(*handle, "count")) : nullptr;
}

int main() {
    void *handle;
    int (*count)() = open_counter(&handle);
    if (!count)
        return 1;
    std::printf("%d", count());
    for (int i = 0; i < 3; i++)
        std::thread([&] {
            int first = count();
            std::printf(" %d %d", first, count());
        }).join();
    std::thread one([&] { std::printf(" %d", count()); });
    one.join();
    std::printf(" %d\n", count());
    dlclose(handle);
    count = open_counter(&handle);
    std::printf("%d", count());
    std::thread([&] { std::printf(" %d\n", count()); }).join();
    return dlclose(handle);
}
