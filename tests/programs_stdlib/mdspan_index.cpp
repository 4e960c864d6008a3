// A row that a matrix does not have.
#include <cstdio>
#include <mdspan>
#include <vector>

int main() {
    std::vector<double> cells(12);
    std::mdspan matrix(cells.data(), 3, 4);
    double trace = 0;
#ifdef FIXED
    int n = 3;
#else
    int n = 4;
#endif
    for (int i = 0; i < n; ++i)
        trace += matrix[i, i]; // EXPECT: library-precondition
    std::printf("%f\n", trace);
}
