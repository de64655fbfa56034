//@ args: --threads any --max-states 500 --no-walks
//@ verdict: unknown
//@ fixme: it should be: holds
// May be unknown: it needs the join of all.
#include <pthread.h>

#ifndef N
#define N 64
#endif

int written;

void *write(void *unused) {
    written++;
    return 0;
}

void *read(void *unused) {
    return written ? &written : 0;
}

int main(void) {
    pthread_t writer, readers[N];
    pthread_create(&writer, 0, write, 0);
    pthread_join(writer, 0);
    for (int i = 0; i < N; i++)
        pthread_create(&readers[i], 0, read, 0);
    for (int i = 0; i < N; i++)
        pthread_join(readers[i], 0);
    pthread_create(&writer, 0, write, 0);
    pthread_join(writer, 0);
}
