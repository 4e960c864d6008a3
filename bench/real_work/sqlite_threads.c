/* Three threads, each on a database of its own and all on one serialized connection; with an
   argument the first use of the library is that of the threads, and there is no shared connection. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "sqlite3.h"

enum { THREADS = 3, ROWS = 300 };
static sqlite3 *shared;

static void must(int code, int wanted) {
  if (code != wanted) {
    fprintf(stderr, "sqlite: %s\n", sqlite3_errstr(code));
    exit(1);
  }
}

static sqlite3_int64 number(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement;
  must(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
  must(sqlite3_step(statement), SQLITE_ROW);
  sqlite3_int64 value = sqlite3_column_int64(statement, 0);
  must(sqlite3_finalize(statement), SQLITE_OK);
  return value;
}

static void insert(sqlite3 *db, int who) {
  sqlite3_stmt *statement;
  must(sqlite3_prepare_v2(db, "INSERT INTO t VALUES (?, ?)", -1, &statement, NULL), SQLITE_OK);
  for (int i = 0; i < ROWS; i++) {
    sqlite3_bind_int(statement, 1, who);
    sqlite3_bind_int(statement, 2, i);
    must(sqlite3_step(statement), SQLITE_DONE);
    must(sqlite3_reset(statement), SQLITE_OK);
  }
  must(sqlite3_finalize(statement), SQLITE_OK);
}

static void *work(void *argument) {
  int who = (int)(long)argument;
  sqlite3 *own;
  must(sqlite3_open(":memory:", &own), SQLITE_OK);
  must(sqlite3_exec(own, "CREATE TABLE t(who, n)", NULL, NULL, NULL), SQLITE_OK);
  insert(own, who);
  if (shared) insert(shared, who);
  sqlite3_int64 *sum = malloc(sizeof *sum);
  *sum = number(own, "SELECT sum(n) + sum(who) FROM t");
  must(sqlite3_close(own), SQLITE_OK);
  return sum;
}

static void open_shared(void) {
  const char *start = "PRAGMA synchronous=OFF; CREATE TABLE t(who, n)";
  must(sqlite3_open("threads.db", &shared), SQLITE_OK);
  must(sqlite3_exec(shared, start, NULL, NULL, NULL), SQLITE_OK);
}

static void close_shared(void) {
  printf("rows %lld\n", number(shared, "SELECT count(*) FROM t"));
  printf("sum %lld\n", number(shared, "SELECT sum(n * (who + 1)) FROM t"));
  must(sqlite3_close(shared), SQLITE_OK);
  remove("threads.db");
}

int main(int argc, char **argv) {
  (void)argv;
  pthread_t threads[THREADS];
  if (argc < 2) open_shared();
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++) {
    void *sum;
    pthread_join(threads[i], &sum);
    printf("thread %d: %lld\n", i, *(sqlite3_int64 *)sum);
    free(sum);
  }
  if (shared) close_shared();
  return 0;
}
