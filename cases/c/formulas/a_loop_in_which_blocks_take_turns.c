//@ verdict with --ltl 'F G (turn == 0)': violated
//@ verdict with --ltl 'G F (turn == 0)': holds
//@ verdict with --ltl 'G F has_node': holds
//@ verdict with --ltl 'G (turn >= 0 && turn < 2)': holds
//@ verdict with --ltl 'G has_node': violated
// Two blocks take turns: a run repeats only when both are where they were.
#include <stdlib.h>

int turn;
int *volatile node;
int *volatile spare;

int has_node(void) {
    return node != NULL && *node < 3;
}

int main(void) {
    int *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    *first = 1;
    *second = 2;
    node = first;
    spare = second;
    for (;;) {
        int *old = node;
        node = spare;
        spare = old;
        turn = 1 - turn;
    }
}
