//@ verdict: holds
#include <assert.h>
#include <pthread.h>

char row[2];

void *set(void *argument) {
    *(char *)argument = 1;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set, &row[0]);
    pthread_create(&b, NULL, set, &row[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(row[0] + row[1] == 2);
}
