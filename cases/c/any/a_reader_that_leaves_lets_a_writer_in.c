//@ args: --threads any
//@ verdict: violated "data race"
// A lock that does not count its readers: the first one that leaves opens it. Fails with 3
// threads beside main (N = 2): two readers and the writer.
#include <pthread.h>
#include <stdatomic.h>

int book;
atomic_bool is_read, is_written;
extern _Bool __VERIFIER_nondet_bool(void);

void *read(void *unused) {
    is_read = 1;
    if (!is_written && book)
        is_read = 1;
    is_read = 0;
    return 0;
}

void *write(void *unused) {
    is_written = 1;
    if (!is_read)
        book = 1;
    is_written = 0;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, write, 0);
#ifdef N
    for (int i = 0; i < N; i++)
#else
    while (1)
#endif
        pthread_create(&thread, 0, read, 0);
}
