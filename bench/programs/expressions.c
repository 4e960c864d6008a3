// Parses arithmetic into trees by recursive descent, then evaluates them: calls, small structs.
// SIZE: default 110000, smoke 3000
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

struct tree {
    char operation; /* '#' for a number, 'x' for the variable */
    int number;
    struct tree *left, *right;
};

static struct tree *new_tree(char operation, int number, struct tree *left, struct tree *right) {
    struct tree *tree = malloc(sizeof *tree);
    if (!tree) exit(1);
    *tree = (struct tree){operation, number, left, right};
    return tree;
}

static void fell(struct tree *tree) {
    if (!tree) return;
    fell(tree->left);
    fell(tree->right);
    free(tree);
}

static struct tree *parse_sum(const char **text);

static struct tree *parse_atom(const char **text) {
    if (**text == '(') {
        *text += 1;
        struct tree *inner = parse_sum(text);
        *text += 1;
        return inner;
    }
    if (**text == 'x') {
        *text += 1;
        return new_tree('x', 0, NULL, NULL);
    }
    int number = 0;
    for (; isdigit((unsigned char)**text); *text += 1) number = number * 10 + (**text - '0');
    return new_tree('#', number, NULL, NULL);
}

static struct tree *parse_product(const char **text) {
    struct tree *tree = parse_atom(text);
    while (**text == '*') {
        *text += 1;
        tree = new_tree('*', 0, tree, parse_atom(text));
    }
    return tree;
}

static struct tree *parse_sum(const char **text) {
    struct tree *tree = parse_product(text);
    while (**text == '+' || **text == '-') {
        char operation = *(*text)++;
        tree = new_tree(operation, 0, tree, parse_product(text));
    }
    return tree;
}

static unsigned evaluate(const struct tree *tree, unsigned x) {
    switch (tree->operation) {
        case '#': return (unsigned)tree->number;
        case 'x': return x;
        case '+': return evaluate(tree->left, x) + evaluate(tree->right, x);
        case '-': return evaluate(tree->left, x) - evaluate(tree->right, x);
        default: return evaluate(tree->left, x) * evaluate(tree->right, x);
    }
}

static char *write_expression(char *end, unsigned *state, int depth) {
    *state = *state * 1664525u + 1013904223u;
    unsigned choice = *state >> 28;
    if (depth == 0 || choice < 2) {
        if (choice & 1) {
            *end++ = 'x';
            return end;
        }
        return end + sprintf(end, "%u", (*state >> 8) % 1000);
    }
    *end++ = '(';
    end = write_expression(end, state, depth - 1);
    *end++ = "+-*"[choice % 3];
    end = write_expression(end, state, depth - 1);
    *end++ = ')';
    return end;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 110000;
    static char text[4096];
    unsigned state = 5, checksum = 0;
    for (int round = 0; round < rounds; round++) {
        *write_expression(text, &state, 5) = '\0';
        const char *cursor = text;
        struct tree *tree = parse_sum(&cursor);
        for (unsigned x = 0; x < 10; x++) checksum = checksum * 31 + evaluate(tree, x);
        fell(tree);
    }
    printf("expressions %d %u\n", rounds, checksum);
    return 0;
}
