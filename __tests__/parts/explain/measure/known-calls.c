// known-calls CALLS OPENS SLEEPS: so many getpid, and in a child so many openat that fail and sleeps of 10 ms; then it prints `done`.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  long calls = atol(argv[1]), opens = atol(argv[2]), sleeps = atol(argv[3]);
  for (long i = 0; i < calls; i++) syscall(SYS_getpid);
  pid_t child = fork();
  if (child == 0) {
    struct timespec ms = {0, 10000000};
    for (long i = 0; i < opens; i++) syscall(SYS_openat, AT_FDCWD, "/known/to/be/absent", O_RDONLY);
    for (long i = 0; i < sleeps; i++) clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  puts("done");
  return status;
}
