// Objects that are not what the pointer says: a sibling, and memory that holds no object at all.
struct base {
    virtual ~base() {}
    virtual int kind() { return 1; }
    int value = 1;
};

struct left : base {
    int kind() override { return 2; }
    int extra = 2;
};

struct right : base {
    int kind() override { return 3; }
    int extra = 3;
};

volatile int sink;

int main() {
    base *volatile made = new right;
    left *wrong = static_cast<left *>(made); // EXPECT: dynamic-type-mismatch
    sink = wrong->extra; // EXPECT: dynamic-type-mismatch
    delete made;
    long words[8] = {0};
    left *volatile none = reinterpret_cast<left *>(words);
    sink = none->value; // EXPECT: dynamic-type-mismatch
    return 0;
}
