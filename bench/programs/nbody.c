// Bodies that attract each other, stepped in time: floating point over an array of structures.
// SIZE: default 6000000, smoke 100000
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 5 };

struct body {
    double place[3], speed[3], mass;
};

static void attract(struct body *bodies, double step) {
    for (int i = 0; i < BODIES; i++) {
        for (int j = i + 1; j < BODIES; j++) {
            double delta[3], square = 1e-9;
            for (int axis = 0; axis < 3; axis++) {
                delta[axis] = bodies[i].place[axis] - bodies[j].place[axis];
                square += delta[axis] * delta[axis];
            }
            double pull = step / (square * sqrt(square));
            for (int axis = 0; axis < 3; axis++) {
                bodies[i].speed[axis] -= delta[axis] * bodies[j].mass * pull;
                bodies[j].speed[axis] += delta[axis] * bodies[i].mass * pull;
            }
        }
    }
}

static void move(struct body *bodies, double step) {
    for (int i = 0; i < BODIES; i++) {
        for (int axis = 0; axis < 3; axis++) {
            bodies[i].place[axis] += step * bodies[i].speed[axis];
        }
    }
}

static double energy(const struct body *bodies) {
    double sum = 0;
    for (int i = 0; i < BODIES; i++) {
        const double *speed = bodies[i].speed;
        sum += 0.5 * bodies[i].mass
               * (speed[0] * speed[0] + speed[1] * speed[1] + speed[2] * speed[2]);
        for (int j = i + 1; j < BODIES; j++) {
            double square = 0;
            for (int axis = 0; axis < 3; axis++) {
                double delta = bodies[i].place[axis] - bodies[j].place[axis];
                square += delta * delta;
            }
            sum -= bodies[i].mass * bodies[j].mass / sqrt(square);
        }
    }
    return sum;
}

int main(int argc, char **argv) {
    long steps = argc > 1 ? atol(argv[1]) : 6000000;
    struct body bodies[BODIES] = {
        {{0, 0, 0}, {0, 0, 0}, 1000},
        {{10, 0, 1}, {0, 10, 0}, 1},
        {{0, 20, 2}, {-7, 0, 0.5}, 2},
        {{-30, 0, -1}, {0, -5.7, 0}, 0.5},
        {{0, -40, 0}, {5, 0, -0.25}, 3},
    };
    double before = energy(bodies);
    for (long step = 0; step < steps; step++) {
        attract(bodies, 1e-4);
        move(bodies, 1e-4);
    }
    printf("nbody %ld %.3f %.3f\n", steps, before, energy(bodies));
    return 0;
}
