// new[] with a length that was negative before it became a size.
#include <cstdio>
#include <new>

static char *volatile message;

int main(int argc, char **) {
    long length = argc - 3L;
    try {
        message = static_cast<char *>(::operator new(length)); // EXPECT: allocation-size-too-big
    } catch (const std::bad_alloc &) {
        std::puts("refused");
    }
    return 0;
}
