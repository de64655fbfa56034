//@ args: --accept memory-safety@the_verdict_names_where_runs_end.c:8
//@ verdict: holds
//@ note: runs end where a rule is broken that is accepted to be: memory is written through a null pointer
#include <stddef.h>

int main(void) {
    int *nowhere = NULL;
    *nowhere = 1;
}
