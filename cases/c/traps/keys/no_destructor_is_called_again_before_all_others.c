//@ verdict: holds
#include <assert.h>
#include <pthread.h>

/* POSIX: after all destructors were called, those whose keys have got values again are
   called once more. */
pthread_key_t stubborn, other;
int n_stubborn, n_other;

static void end_stubborn(void *value) {
    if (++n_stubborn == 1)
        pthread_setspecific(stubborn, value);
    else
        assert(n_other == 1);
}

static void end_other(void *value) {
    (void)value;
    n_other++;
}

static void *work(void *arg) {
    static int value;
    pthread_setspecific(stubborn, &value);
    pthread_setspecific(other, &value);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&stubborn, end_stubborn);
    pthread_key_create(&other, end_other);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(n_stubborn == 2 && n_other == 1);
    return 0;
}
