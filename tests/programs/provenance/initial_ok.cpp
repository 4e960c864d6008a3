// Initial values of all kinds: tables of functions, texts, pointers behind the end, virtual tables.
// NATIVE: skip no native tool follows pointers
// STDOUT: one two 30
// STDOUT: 21 12 3
// EXIT: 0
#include <cstdio>
#include <thread>

struct shape {
    virtual ~shape() = default;
    virtual int area() const = 0;
};

struct square : shape {
    int side;
    explicit square(int length) : side(length) {}
    int area() const override { return side * side; }
};

struct box : square {
    using square::square;
    int area() const override { return 3 * square::area(); }
};

static int values[4] = {1, 2, 4, 5};
static int *begin = values, *end = values + 4;
static const char *const names[] = {"one", "two", &"two"[1]};
static int (*const calls[])(int) = {[](int n) { return 3 * n; }, [](int n) { return n + 2; }};

struct node {
    node *next;
    int value;
};
extern node last;
static node first = {&last, 1};
node last = {&first, 2};

template <class T> struct counted {
    static T *latest;
    static T zero;
};
template <class T> T counted<T>::zero = 0;
template <class T> T *counted<T>::latest = &counted<T>::zero;

static thread_local int *of_thread = &values[1];

int main()
{
    std::printf("%s %s %d\n", names[0], names[1], calls[0](calls[1](8)));
    int sum = 0;
    for (int *at = begin; at != end; at++)
        sum += *at;
    node *at = &first;
    for (int i = 0; i < 6; i++, at = at->next)
        sum += at->value;
    *counted<int>::latest += 1;
    sum -= counted<int>::latest == &counted<int>::zero ? counted<int>::zero : 0;
    std::thread([&sum] { sum += of_thread[-1]; of_thread = nullptr; }).join();
    const shape *shapes[] = {new square(2), new box(2)};
    std::printf("%d %d %d\n", sum, shapes[1]->area(), of_thread[1] - 1);
    delete shapes[0];
    delete shapes[1];
    return 0;
}
