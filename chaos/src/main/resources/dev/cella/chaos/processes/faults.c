// Makes the disk of one process fail or slow, and its wall clock wrong, while it runs. The process loads this library before
// all others (LD_PRELOAD). The switches are in a small file that this library and the run share as memory.
//
//   CELLA_FAULTS_SWITCHES  the file of the switches
//   CELLA_FAULTS_DISK      the folder whose files are on the faulty disk
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// The same order as in FaultSwitches.java.
struct switches {
  volatile uint32_t write_errno;
  volatile uint32_t sync_errno;
  volatile uint32_t sync_delay_micros;
  volatile int32_t clock_offset_seconds;
  volatile uint32_t disk_hits;
  volatile uint32_t clock_hits;
};

static struct switches none;
static struct switches *now = &none;
static char disk[1024];
static size_t disk_length;

#define REAL(type, name, ...)                                      \
  static type (*real)(__VA_ARGS__);                                \
  if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("CELLA_FAULTS_SWITCHES");
  const char *folder = getenv("CELLA_FAULTS_DISK");
  if (!file || !folder || strlen(folder) >= sizeof disk) return;
  strcpy(disk, folder);
  disk_length = strlen(disk);
  int fd = open(file, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *shared = mmap(0, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (shared != MAP_FAILED) now = shared;
}

static int is_on_disk(int fd) {
  char link[64], path[2048];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return !strncmp(path, disk, disk_length) && path[disk_length] == '/';
}

// The error of this write, 0 if it works.
static int write_error(int fd) {
  if (!now->write_errno || !is_on_disk(fd)) return 0;
  __sync_fetch_and_add(&now->disk_hits, 1);
  return now->write_errno;
}

// Waits as the disk does; then the error of this sync, 0 if it works.
static int sync_error(int fd) {
  if ((!now->sync_errno && !now->sync_delay_micros) || !is_on_disk(fd)) return 0;
  __sync_fetch_and_add(&now->disk_hits, 1);
  if (now->sync_delay_micros) usleep(now->sync_delay_micros);
  return now->sync_errno;
}

#define FAIL_IF(error)  \
  do {                  \
    int failed = error; \
    if (failed) {       \
      errno = failed;   \
      return -1;        \
    }                   \
  } while (0)

int fsync(int fd) {
  REAL(int, "fsync", int);
  FAIL_IF(sync_error(fd));
  return real(fd);
}

int fdatasync(int fd) {
  REAL(int, "fdatasync", int);
  FAIL_IF(sync_error(fd));
  return real(fd);
}

int sync_file_range(int fd, off64_t from, off64_t length, unsigned int flags) {
  REAL(int, "sync_file_range", int, off64_t, off64_t, unsigned int);
  FAIL_IF(sync_error(fd));
  return real(fd, from, length, flags);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(ssize_t, "write", int, const void *, size_t);
  FAIL_IF(write_error(fd));
  return real(fd, bytes, count);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(ssize_t, "writev", int, const struct iovec *, int);
  FAIL_IF(write_error(fd));
  return real(fd, parts, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
  FAIL_IF(write_error(fd));
  return real(fd, bytes, count, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
  FAIL_IF(write_error(fd));
  return real(fd, bytes, count, at);
}

static time_t clock_offset(void) {
  if (now->clock_offset_seconds) __sync_fetch_and_add(&now->clock_hits, 1);
  return now->clock_offset_seconds;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  REAL(int, "clock_gettime", clockid_t, struct timespec *);
  int result = real(clock, time);
  if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += clock_offset();
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  REAL(int, "gettimeofday", struct timeval *restrict, void *restrict);
  int result = real(time, zone);
  if (!result && time) time->tv_sec += clock_offset();
  return result;
}

time_t time(time_t *result) {
  REAL(time_t, "time", time_t *);
  time_t seconds = real(0) + clock_offset();
  if (result) *result = seconds;
  return seconds;
}
