//@ verdict: violated
void (*callback)(void);

int main(void) {
    callback();
}
