//@ verdict: violated "out of bounds"
#include <string.h>

int main(void) {
    char buffer[4];
    strcpy(buffer, "1234");
    return buffer[0];
}
