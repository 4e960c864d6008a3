// An array of objects is copied onto its own neighbour.
#include <cstdio>
#include <cstring>

struct point { int x, y; };

int main(int argc, char **) {
    point *points = new point[8]();
    points[0].x = 2;
    std::memcpy(points + argc, points, sizeof(point) * 3 * argc); // EXPECT: memcpy-param-overlap
    std::printf("%d\n", points[argc].x);
    delete[] points;
    return 0;
}
