// Compiled with another idea of how many slots there are.
inline int slots[4] = {1, 2, 3, 4};
template <class T> struct Pool {
    static inline T cells[3] = {7};
};
int other_slots(int index) { return slots[index] + Pool<char>::cells[0]; }
