//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 5 threads beside main.
#include <pthread.h>
#include <stdatomic.h>

int shared[4];
_Atomic unsigned char next;

unsigned char draw(void) {
    unsigned char seen = next;
    while (!atomic_compare_exchange_weak(&next, &seen, (seen + 1) % 4))
        ;
    return seen;
}

void *work(void *unused) {
    unsigned char mine = draw();
    shared[mine] = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
