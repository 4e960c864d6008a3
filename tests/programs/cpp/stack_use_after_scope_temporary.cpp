// A reference member outlives the temporary it was bound to.
#include <cstdio>

struct Box { int value; };

struct View {
    const Box &box;
    explicit View(const Box &from) : box(from) {}
    __attribute__((noinline)) int read() const {
        return box.value; // EXPECT: stack-use-after-scope read 4
    }
};

static volatile int seven = 7;

int main() {
    View view(Box{seven});
    std::printf("%d\n", view.read());
}
