//@ args: --property valid-memsafety
//@ verdict: violated "out of reach"
#include <stdlib.h>

struct node { struct node *next; } *list;

int main(void) {
    for (int i = 0; i < 2; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }
    struct node *head = list;
    list = NULL;
    free(head);
    return 0;
}
