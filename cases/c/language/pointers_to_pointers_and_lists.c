//@ verdict: holds
#include <assert.h>
#include <stddef.h>

struct node { int value; struct node *next; };

static void insert(struct node **place, struct node *node) {
    while (*place && (*place)->value < node->value)
        place = &(*place)->next;
    node->next = *place;
    *place = node;
}

int main(void) {
    struct node nodes[4] = {{3}, {1}, {2}, {0}}, *list = NULL;
    for (int i = 0; i < 4; i++)
        insert(&list, &nodes[i]);
    int expected = 0;
    for (struct node *n = list; n; n = n->next)
        assert(n->value == expected++);
    assert(expected == 4);
    assert(offsetof(struct node, next) == 8 && (char *)&nodes[1] - (char *)nodes == 16);
}
