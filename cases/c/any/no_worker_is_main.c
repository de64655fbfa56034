//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: a handle lies in shared memory and is compared.
#include <assert.h>
#include <pthread.h>

pthread_t the_main;

void *work(void *unused) {
    assert(!pthread_equal(the_main, pthread_self()));
    return 0;
}

int main(void) {
    pthread_t thread;
    the_main = pthread_self();
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
