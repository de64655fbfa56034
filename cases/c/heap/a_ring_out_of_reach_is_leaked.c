//@ args: --property valid-memsafety
//@ verdict: violated "out of reach"
#include <stdlib.h>

struct node { struct node *next; } *ring;

int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->next = b;
    b->next = a;
    ring = a;
    a = b = NULL;
    ring = NULL;
    return 0;
}
