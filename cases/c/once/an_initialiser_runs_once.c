//@ verdict: holds
// Whoever returns from pthread_once sees what the initialiser wrote.
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int n_runs, table;

void initialise(void) {
    n_runs++;
    table = 42;
}

void *use(void *unused) {
    pthread_once(&once, initialise);
    assert(table == 42);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(n_runs == 1);
}
