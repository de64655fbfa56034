//@ verdict: violated "data race"
// strlen reads all characters up to the null (C11 7.24.6.3p3), also the one that is
// replaced.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

char text[4] = "abc";

void *write_it(void *unused) {
    text[1] = 'x';
    return NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, write_it, NULL);
    int length = strlen(text);
    pthread_join(one, NULL);
    assert(length == 3);
    return 0;
}
