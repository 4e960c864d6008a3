// Objects reached by each of their bases, a virtual one among them.
// EXIT: 0
struct first {
    virtual ~first() {}
    int one = 1;
};

struct second {
    virtual ~second() {}
    virtual int get() { return two; }
    int two = 2;
};

struct shared : virtual first {
    int three = 3;
};

struct whole : second, shared {
    int get() override { return 4; }
};

volatile int sink;

int main() {
    whole *volatile object = new whole;
    second *volatile as_second = object;
    first *volatile as_first = object;
    shared *volatile as_shared = object;
    sink = as_second->get() + as_second->two + as_first->one + as_shared->three;
    sink += static_cast<whole *>(as_second)->two;
    sink += dynamic_cast<whole *>(as_first)->three;
    delete as_first;
    return sink != 15;
}
