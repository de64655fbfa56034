//@ verdict: unknown "`launch_missiles` is not defined and not known: a C file given with --model"
int launch_missiles(int);

int main(void) {
    return launch_missiles(3);
}
