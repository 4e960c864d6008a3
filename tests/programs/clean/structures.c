// Structures by value, unions, function pointers in tables, bit-fields, flexible arrays, globals.
// STDOUT: 11 22 33
// STDOUT: add 7, multiply 12, subtract 1
// STDOUT: 5 3 -1, flexible 9, constant 2.5
#include <stdio.h>
#include <stdlib.h>

struct point {
    long x, y, z;
};

struct fields {
    unsigned low : 3;
    unsigned high : 2;
    signed sign : 1;
};

struct flexible {
    int count;
    int items[];
};

static int add(int a, int b) { return a + b; }
static int multiply(int a, int b) { return a * b; }
static int subtract(int a, int b) { return b - a; }

static const double constants[2][2] = {{0.5, 1.5}, {2.5, 3.5}};

static struct point __attribute__((noinline)) plus(struct point a, struct point b) {
    return (struct point){a.x + b.x, a.y + b.y, a.z + b.z};
}

static const struct {
    const char *name;
    int (*apply)(int, int);
} table[] = {{"add", add}, {"multiply", multiply}, {"subtract", subtract}};

int main(int argc, char **argv) {
    (void)argv;
    struct point sum = plus((struct point){1, 2, 3}, (struct point){10, 20, 30});
    printf("%ld %ld %ld\n", sum.x, sum.y, sum.z);
    for (int i = 0; i < 3; i++) {
        printf("%s %d%s", table[i].name, table[i].apply(3, 3 + argc), i < 2 ? ", " : "\n");
    }
    volatile struct fields fields = {5, 3, -1};
    struct flexible *flexible = malloc(sizeof *flexible + 3 * sizeof(int));
    if (!flexible) return 1;
    flexible->items[2] = 9;
    printf("%u %u %d, flexible %d, constant %g\n", fields.low, fields.high, fields.sign,
           flexible->items[2], constants[argc][0]);
    free(flexible);
    return 0;
}
