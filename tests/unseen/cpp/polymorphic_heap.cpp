// Classes with operator new of their own, placement, arrays with cookies, flexible layouts, unions.
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <vector>

struct Pooled {
    static inline int taken = 0, given = 0;
    static void *operator new(size_t size) {
        taken++;
        if (void *memory = std::malloc(size)) return memory;
        throw std::bad_alloc();
    }
    static void operator delete(void *memory) noexcept {
        given++;
        std::free(memory);
    }
    virtual ~Pooled() = default;
    virtual int kind() const { return 1; }
};
struct Bigger : Pooled {
    std::string text = "a member that has memory of its own, too";
    int kind() const override { return 2; }
};
struct Counted {
    static inline int live = 0;
    Counted() { ++live; }
    ~Counted() { --live; }
    int value = 7;
};

class Packet {
  public:
    static Packet *make(const std::string &body) {
        void *memory = ::operator new(sizeof(Packet) + body.size() + 1);
        return ::new (memory) Packet(body);
    }
    static void drop(Packet *packet) {
        packet->~Packet();
        ::operator delete(packet);
    }
    const char *body() const { return reinterpret_cast<const char *>(this + 1); }
    size_t size() const { return size_; }

  private:
    explicit Packet(const std::string &body) : size_(body.size()) { std::memcpy(this + 1, body.c_str(), body.size() + 1); }
    size_t size_;
};

class Value {
    enum { number, text } kind_;
    union {
        double number_;
        std::string text_;
    };

  public:
    Value(double n) : kind_(number), number_(n) {}
    Value(const char *t) : kind_(text), text_(t) {}
    Value(const Value &other) : kind_(other.kind_) {
        if (kind_ == text) ::new (&text_) std::string(other.text_);
        else number_ = other.number_;
    }
    Value &operator=(const Value &) = delete;
    ~Value() {
        if (kind_ == text) text_.~basic_string();
    }
    std::string show() const { return kind_ == text ? text_ : std::to_string(number_); }
};

int main() {
    std::vector<std::unique_ptr<Pooled>> objects;
    for (int i = 0; i < 6; i++) {
        if (i % 2) objects.emplace_back(new Bigger);
        else objects.emplace_back(new Pooled);
    }
    int kinds = 0;
    for (auto &object : objects) kinds = kinds * 10 + object->kind();
    objects.clear();
    std::cout << kinds << ' ' << Pooled::taken << Pooled::given << '\n';
    auto *array = new Counted[5];
    assert(Counted::live == 5 && array[4].value == 7);
    delete[] array;
    alignas(Counted) std::byte room[3 * sizeof(Counted)];
    for (int i = 0; i < 3; i++) ::new (room + i * sizeof(Counted)) Counted;
    auto *first = std::launder(reinterpret_cast<Counted *>(room));
    std::cout << Counted::live << first[2].value << '\n';
    std::destroy_n(first, 3);
    assert(Counted::live == 0);
    Packet *packet = Packet::make("the body follows its header");
    std::cout << packet->size() << packet->body() << '\n';
    Packet::drop(packet);
    std::vector<Value> values{1.5, "a text value that is long enough", 2.0};
    values.push_back("more");
    for (const auto &value : values) std::cout << value.show() << ' ';
    void *space = room;
    size_t left = sizeof room;
    void *aligned = std::align(8, 4, space, left);
    std::cout << (reinterpret_cast<std::uintptr_t>(aligned) % 8) << '\n';
    int (*matrix)[4] = new int[3][4]();
    matrix[2][3] = 9;
    std::cout << matrix[2][3] + matrix[0][0] << '\n';
    delete[] matrix;
}
