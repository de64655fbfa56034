//@ verdict: holds
//@ verdict with --property valid-memsafety: holds
// SV-COMP's `valid-memtrack`: what a pointer still leads to at the end is tracked.
#include <stdlib.h>

struct node {
    struct node *next;
} *list;

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }
}
