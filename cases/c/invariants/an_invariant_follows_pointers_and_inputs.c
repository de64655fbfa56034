//@ verdict with --invariant is_small: violated "is_small"
//@ verdict with --invariant is_positive: holds
//@ verdict with --invariant has_list: unknown "null pointer"
//@ verdict with --invariant writes: unknown "it writes `limit`"
// The input is between 1 and 10: not always below 10. A list that is not there yet has
// no first element; that is no answer, and not a wrong one.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

struct node {
    int value;
    struct node *next;
};

struct node *list;
int limit = 5, is_built;

static int length(struct node *node) {
    return node ? 1 + length(node->next) : 0;
}

int is_small(void) {
    return list == NULL || list->value < 10;
}

int is_positive(void) {
    return list == NULL || (list->value > 0 && length(list) == 1);
}

int has_list(void) {
    return !is_built || list->value > 0;
}

int writes(void) {
    if (is_built)
        limit = 6;
    return 1;
}

int main(void) {
    struct node *node = malloc(sizeof *node);
    node->value = __VERIFIER_nondet_int();
    __VERIFIER_assume(node->value > 0 && node->value <= 10);
    node->next = NULL;
    is_built = 1;
    list = node;
    list = NULL;
    free(node);
}
