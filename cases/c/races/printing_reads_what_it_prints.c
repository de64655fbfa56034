//@ verdict: violated "data race"
#include <pthread.h>
#include <stdio.h>

char text[8] = "abc";

void *change(void *unused) {
    text[1] = 'x';
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, change, NULL);
    printf("%s\n", text);
    pthread_join(t, NULL);
}
