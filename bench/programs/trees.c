// Builds and frees binary trees of many depths: malloc and free, pointer chasing, recursion.
// SIZE: default 20, smoke 15
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *left, *right;
};

static struct node *grow(int depth) {
    struct node *node = malloc(sizeof *node);
    if (!node) exit(1);
    node->left = depth > 0 ? grow(depth - 1) : NULL;
    node->right = depth > 0 ? grow(depth - 1) : NULL;
    return node;
}

static long count(const struct node *node) {
    return node ? 1 + count(node->left) + count(node->right) : 0;
}

static void fell(struct node *node) {
    if (!node) return;
    fell(node->left);
    fell(node->right);
    free(node);
}

int main(int argc, char **argv) {
    int deepest = argc > 1 ? atoi(argv[1]) : 20;
    long nodes = 0;
    struct node *lasting = grow(deepest);
    for (int depth = 4; depth <= deepest; depth += 3) {
        int rounds = 1 << (deepest - depth);
        for (int round = 0; round < rounds; round++) {
            struct node *tree = grow(depth);
            nodes += count(tree);
            fell(tree);
        }
    }
    printf("trees %d %ld %ld\n", deepest, nodes, count(lasting));
    fell(lasting);
    return 0;
}
