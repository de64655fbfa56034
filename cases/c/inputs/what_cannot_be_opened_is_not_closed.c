//@ verdict: violated "that names no memory"
//@ verdict with -DCHECKED: unknown "some of their values"
#include <err.h>
#include <stdio.h>

int main(void) {
    char line[4];
    FILE *file = fopen("settings", "r");
#ifdef CHECKED
    if (file == NULL)
        err(1, "%s", "settings");
    fgets(line, sizeof line, file);
#endif
    fclose(file);
}
