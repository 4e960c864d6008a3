// qsort, bsearch, hsearch, tsearch, lsearch, insque: the searching half of libc.
#include <assert.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    char *text;
    int count;
};

static int by_text(const void *a, const void *b) { return strcmp(((const struct word *)a)->text, ((const struct word *)b)->text); }
static int by_count(const void *a, const void *b, void *calls) {
    const struct word *x = a, *y = b;
    ++*(int *)calls;
    return x->count != y->count ? y->count - x->count : strcmp(x->text, y->text);
}
static int depth_seen, nodes_seen;
static void visit(const void *node, VISIT order, int depth) {
    if (order == postorder || order == leaf) {
        const struct word *word = *(struct word *const *)node;
        printf("%s ", word->text);
        nodes_seen++;
    }
    if (depth > depth_seen) depth_seen = depth;
}
static void drop(void *node) { free(node); }

int main(void) {
    char text[] = "the cat and the dog and the bird saw a cat on the mat";
    void *root = NULL;
    struct word table[16];
    size_t n = 0;
    assert(hcreate(50));
    for (char *save, *token = strtok_r(text, " ", &save); token; token = strtok_r(NULL, " ", &save)) {
        ENTRY *found = hsearch((ENTRY){.key = token}, FIND);
        if (found) {
            table[(size_t)found->data].count++;
            continue;
        }
        assert(hsearch((ENTRY){.key = token, .data = (void *)n}, ENTER));
        struct word *copy = malloc(sizeof *copy);
        *copy = table[n++] = (struct word){token, 1};
        assert(*(struct word **)tsearch(copy, &root, by_text) == copy);
    }
    hdestroy();
    twalk(root, visit);
    printf("%d\n", nodes_seen);
    struct word key = {"dog", 0};
    struct word **dog = tfind(&key, &root, by_text);
    assert(dog && (*dog)->count == 1);
    struct word *gone = *dog;
    assert(tdelete(&key, &root, by_text));
    free(gone);
    assert(!tfind(&key, &root, by_text));
    tdestroy(root, drop);

    qsort(table, n, sizeof *table, by_text);
    for (size_t i = 1; i < n; i++) assert(strcmp(table[i - 1].text, table[i].text) < 0);
    key.text = "cat";
    struct word *cat = bsearch(&key, table, n, sizeof *table, by_text);
    printf("%s %d at %td\n", cat->text, cat->count, cat - table);
    key.text = "zebra";
    assert(!bsearch(&key, table, n, sizeof *table, by_text));
    int calls = 0;
    qsort_r(table, n, sizeof *table, by_count, &calls);
    for (size_t i = 0; i < n; i++) printf("%s:%d ", table[i].text, table[i].count);
    printf("%d\n", calls > 0);

    struct word list[4] = {{"x", 1}};
    size_t used = 1;
    lsearch(&(struct word){"y", 2}, list, &used, sizeof *list, by_text);
    lsearch(&(struct word){"x", 9}, list, &used, sizeof *list, by_text);
    printf("%zu %p\n", used, lfind(&(struct word){"q", 0}, list, &used, sizeof *list, by_text));
    struct item {
        struct item *next, *previous;
        int value;
    } a = {NULL, NULL, 1}, b = {NULL, NULL, 2}, c = {NULL, NULL, 3};
    insque(&a, NULL), insque(&c, &a), insque(&b, &a);
    remque(&c);
    assert(a.next == &b && b.next == NULL && b.previous == &a);
    return 0;
}
