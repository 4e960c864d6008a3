// A search tree of random keys: insertion, sums and removal by recursion, with malloc at its end.
// SIZE: default 160, smoke 4
// THREADS: 1, 4
#include "work.h"

struct node {
    uint32_t key;
    uint32_t count;
    struct node *left, *right;
};

static struct node *insert(struct node *node, uint32_t key) {
    if (!node) {
        struct node *made = malloc(sizeof *made);
        if (!made) exit(1);
        made->key = key;
        made->count = 1;
        made->left = made->right = NULL;
        return made;
    }
    if (key == node->key) node->count++;
    else if (key < node->key) node->left = insert(node->left, key);
    else node->right = insert(node->right, key);
    return node;
}

static unsigned long sum_of(const struct node *node) {
    return node ? node->key % 1000 * node->count + sum_of(node->left) + sum_of(node->right) : 0;
}

static void fell(struct node *node) {
    if (!node) return;
    fell(node->left);
    fell(node->right);
    free(node);
}

static unsigned long work(int self, long size) {
    uint64_t random = seed_of(self);
    struct node *root = NULL;
    for (long i = size * 1000; i > 0; i--) root = insert(root, (uint32_t)next_random(&random));
    unsigned long sum = sum_of(root);
    fell(root);
    return sum;
}

int main(int argc, char **argv) {
    return run_all("random_tree", argc > 1 ? atol(argv[1]) : 160);
}
