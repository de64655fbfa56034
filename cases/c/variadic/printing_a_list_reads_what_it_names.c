//@ verdict: violated "race"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static char name[] = "first";

static void *rename_it(void *unused) {
    name[0] = 'F';
    return NULL;
}

static void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, rename_it, NULL);
    say("%s\n", name);
    pthread_join(thread, NULL);
}
