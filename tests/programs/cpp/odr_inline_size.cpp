// WITH: parts/odr_inline.cpp
// NATIVE: miss the linker keeps one of the definitions and asks nothing
// An inline variable is bigger here than in the other module.
inline int slots[8] = {1, 2, 3, 4}; // EXPECT: odr-violation
template <class T> struct Pool {
    static inline T cells[3] = {7};
};
int other_slots(int index);

int main(int argc, char **) {
    return other_slots(argc) + slots[argc + 5] + Pool<char>::cells[argc] == 99;
}
