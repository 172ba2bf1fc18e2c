// known-work CALLS COPIES PAGES SLEEPS FAILURES: so many system calls (getpid), copies of a MiB, first touches of a page, sleeps of a
// millisecond, and calls that fail (close of no file), each kind in a phase of its own. Tells at the end what the copies took of a processor, in seconds.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void phase(const char *name) {
  printf("::joulediff phase %s\n", name);
  fflush(stdout);
}

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  long calls = atol(argv[1]), copies = atol(argv[2]), pages = atol(argv[3]), sleeps = atol(argv[4]), failures = atol(argv[5]);
  long page = sysconf(_SC_PAGESIZE);
  char *from = malloc(1 << 20), *to = malloc(1 << 20);
  memset(from, 1, 1 << 20);
  memset(to, 2, 1 << 20);

  phase("calls");
  for (long i = 0; i < calls; i++) syscall(SYS_getpid);

  phase("copies");
  double before = cpu_seconds();
  for (long i = 0; i < copies; i++) {
    memcpy(to, from, 1 << 20);
    __asm__ volatile("" : : "r"(to) : "memory");
  }
  double took = cpu_seconds() - before;

  phase("faults");
  char *memory = mmap(NULL, pages * page + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(memory, pages * page + page, MADV_NOHUGEPAGE);
  for (long i = 0; i < pages; i++) memory[i * page] = 1;

  phase("sleeps");
  struct timespec ms = {0, 1000000};
  for (long i = 0; i < sleeps; i++) clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL);

  phase("failures");
  for (long i = 0; i < failures; i++) close(-1);

  printf("::joulediff end\ncopies took %.6f s\n", took);
  return 0;
}
