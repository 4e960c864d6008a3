// EXIT: 0
// WITH: parts/odr_inline.cpp
// An inline variable is the same here as in the other module.
inline int slots[4] = {1, 2, 3, 4};
template <class T> struct Pool {
    static inline T cells[3] = {7};
};
int other_slots(int index);

int main(int argc, char **) {
    return other_slots(argc) + slots[argc] + Pool<char>::cells[argc] == 99;
}
