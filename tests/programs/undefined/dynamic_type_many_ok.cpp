// Many calls of objects of several types, as the cache of known types sees them.
// EXIT: 0
struct shape {
    virtual ~shape() {}
    virtual int area() const = 0;
};

template <int n> struct square : shape {
    int area() const override { return n * n; }
};

template <int n> int sum_of() {
    if constexpr (n == 0) {
        return 0;
    } else {
        shape *volatile made = new square<n>;
        int area = 0;
        for (int i = 0; i < 3; i++) area = made->area();
        delete made;
        return area + sum_of<n - 1>();
    }
}

int main() { return sum_of<20>() != 2870; }
