// The twin of new_too_big: a length that is one.
// STDOUT: granted
#include <cstdio>
#include <new>

static char *volatile message;

int main(int argc, char **) {
    message = static_cast<char *>(::operator new(argc + 3L));
    std::puts(message ? "granted" : "refused");
    ::operator delete(message);
    return 0;
}
