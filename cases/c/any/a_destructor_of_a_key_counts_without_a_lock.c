//@ args: --threads any
//@ verdict: violated "data race"
// Fails with 2 threads beside main.
#include <pthread.h>

pthread_key_t key;
int n_ended;

void count(void *unused) {
    n_ended++;
}

void *work(void *unused) {
    pthread_setspecific(key, &key);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, count);
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, work, 0);
}
