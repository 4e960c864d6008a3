// Temporaries used within their full expression, or kept alive by a reference.
// STDOUT: 7 8 12
#include <cstdio>
#include <string>

struct Box { int value; };

struct View {
    const Box &box;
    explicit View(const Box &from) : box(from) {}
    __attribute__((noinline)) int read() const { return box.value; }
};

static volatile int seven = 7;

static std::string joined(const std::string &left, const std::string &right) {
    return left + right;
}

int main() {
    int first = View(Box{seven}).read();
    const Box &kept = Box{seven + 1};
    const std::string &text =
        joined(seven == 7 ? std::string("seven") : joined("a", "b"), " longer");
    std::printf("%d %d %zu\n", first, View(kept).read(), text.size());
}
