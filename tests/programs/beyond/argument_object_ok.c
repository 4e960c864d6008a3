// container_of, a list in an array, a pointer into the middle.
// EXIT: 0
#include <stddef.h>
#include <stdlib.h>

struct Link {
    struct Link *next;
};
struct Item {
    char name[200];
    int number;
    struct Link link;
};

static struct Item *link_to_item(struct Link *link) {
    return (struct Item *)((char *)link - offsetof(struct Item, link));
}

int main(void) {
    struct Item *items = malloc(10 * sizeof *items);
    for (int i = 0; i < 10; i++) {
        items[i].number = i;
        items[i].link.next = i < 9 ? &items[i + 1].link : NULL;
    }
    int sum = 0;
    for (struct Link *at = &items[0].link; at; at = at->next) {
        struct Item *item = link_to_item(at);
        item->name[sum % 200] = 1;
        sum += item->number;
    }
    free(items);
    return sum - 45;
}
