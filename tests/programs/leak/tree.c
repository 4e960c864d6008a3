// A tree whose root is lost; a branch that is held elsewhere stays alive.
// NATIVE: miss at -O0 a stale word on the stack hides some of it
#include <stdlib.h>

struct tree {
    struct tree *volatile left, *volatile right;
};

static struct tree *kept;

static struct tree *grow(int depth) {
    if (depth == 0) return NULL;
    struct tree *tree = malloc(sizeof *tree); // EXPECT: indirect-leak
    tree->left = grow(depth - 1);
    tree->right = grow(depth - 1);
    return tree;
}

static void lose(void) {
    struct tree *root = malloc(sizeof *root); // EXPECT: direct-leak 16
    root->left = grow(3);
    root->right = grow(3);
    kept = root->right;
}

int main(void) {
    lose();
    return !kept;
}
