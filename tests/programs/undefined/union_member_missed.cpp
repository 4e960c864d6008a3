// Another member of a union is read than was written, which C++ does not allow.
// EXIT: 0
union word {
    float real;
    unsigned bits;
};

volatile unsigned sink;

int main() {
    word both;
    both.real = 1.0f;
    sink = both.bits;
    return sink != 0x3f800000;
}
