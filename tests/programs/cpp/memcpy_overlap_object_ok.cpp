// The twin of memcpy_overlap_object.
// STDOUT: 2
#include <cstdio>
#include <cstring>

struct point { int x, y; };

int main(int argc, char **) {
    point *points = new point[8]();
    points[0].x = 2;
    std::memcpy(points + argc, points, sizeof(point) * 1 * argc);
    std::printf("%d\n", points[argc].x);
    delete[] points;
    return 0;
}
