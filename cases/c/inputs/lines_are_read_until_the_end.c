//@ verdict: violated "assertion"
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[4];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = 0;
        assert(strlen(line) < 3);
    }
}
