//@ args: --max-states 500
//@ verdict: unknown "states"
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_ullong counter;

int main(void) {
    for (;;)
        counter++;
}
