//@ verdict: holds
//@ verdict with -O2: holds
//@ verdict with -O3: holds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn;
int inside;

void *run(void *argument) {
    long me = (long)argument;
    wants[me] = 1;
    turn = 1 - me;
    while (wants[1 - me] && turn == 1 - me)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    wants[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, run, (void *)0L);
    pthread_create(&b, NULL, run, (void *)1L);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
