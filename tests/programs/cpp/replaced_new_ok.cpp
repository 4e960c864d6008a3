// Forms of operator new and delete that the program leaves alone use those that it replaces.
// STDOUT: new 1 1 1 1, failed 1 1 1
// STDOUT: aligned 1 1 1, array 1 1
// STDOUT: handler 1, own class 1, deleted all: 1 1
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

static volatile int n_new, n_delete, n_aligned, n_aligned_delete, n_class, n_handled;
static volatile bool fails;
static long *volatile sink;

__attribute__((weak)) void *operator new(std::size_t size) {
    if (fails) {
        n_handled = n_handled + 1;
        throw std::bad_alloc();
    }
    n_new = n_new + 1;
    char *block = static_cast<char *>(std::malloc(size + 16));
    return block + 16;
}
void operator delete(void *block) noexcept {
    if (!block)
        return;
    n_delete = n_delete + 1;
    std::free(static_cast<char *>(block) - 16);
}
void *operator new(std::size_t size, std::align_val_t alignment) {
    if (fails)
        throw std::bad_alloc();
    n_aligned = n_aligned + 1;
    return std::aligned_alloc(std::size_t(alignment), size);
}
void operator delete(void *block, std::align_val_t) noexcept {
    n_aligned_delete = n_aligned_delete + 1;
    std::free(block);
}

struct Own {
    static void *operator new(std::size_t size) { n_class = n_class + 1; return std::malloc(size); }
    static void operator delete(void *block) { std::free(block); }
    int value = 0;
};
struct alignas(64) Wide {
    char bytes[64];
};
template <class F> int counted(volatile int &counter, F work) {
    int before = counter;
    work();
    return counter - before;
}

int main() {
    int *volatile a, *volatile b, *volatile c, *volatile d;
    std::printf("new %d %d %d %d", counted(n_new, [&] { a = new int(1); }),
                counted(n_new, [&] { b = new (std::nothrow) int(2); }),
                counted(n_new, [&] { c = new int[3]; }),
                counted(n_new, [&] { d = new (std::nothrow) int[4]; }));
    fails = true;
    int *volatile none = new (std::nothrow) int, *volatile nothing = new (std::nothrow) int[5];
    Wide *volatile nowhere = new (std::nothrow) Wide[2];
    fails = false;
    std::printf(", failed %d %d %d\n", none == nullptr, nothing == nullptr, nowhere == nullptr);
    Wide *volatile e, *volatile f, *volatile g;
    std::printf("aligned %d %d %d, ", counted(n_aligned, [&] { e = new Wide; }),
                counted(n_aligned, [&] { f = new (std::nothrow) Wide; }),
                counted(n_aligned, [&] { g = new Wide[2]; }));
    int array = counted(n_new, [] { std::vector<long> numbers(3); sink = numbers.data(); });
    int text = counted(n_new, [] { std::string(100, 'x').append(300, 'y'); }) > 0;
    std::printf("array %d %d\n", array, text);
    Own *volatile own = new Own;
    delete own;
    delete a;
    operator delete(b, sizeof *b);
    delete[] c;
    operator delete[](d, std::nothrow);
    delete e;
    operator delete(f, sizeof *f, std::align_val_t(64));
    delete[] g;
    std::printf("handler %d, own class %d, deleted all: %d %d\n", n_handled > 0, n_class,
                n_new - n_delete >= 0 && n_new - n_delete <= 1, n_aligned == n_aligned_delete);
}
