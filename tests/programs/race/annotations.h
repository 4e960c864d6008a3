/* The dynamic annotations that these programs use. */
#ifndef ANNOTATIONS_H
#define ANNOTATIONS_H
#ifdef __cplusplus
extern "C" {
#endif
void AnnotateRWLockCreate(const char *file, int line, const volatile void *lock);
void AnnotateRWLockCreateStatic(const char *file, int line, const volatile void *lock);
void AnnotateRWLockDestroy(const char *file, int line, const volatile void *lock);
void AnnotateRWLockAcquired(const char *file, int line, const volatile void *lock, long is_write);
void AnnotateRWLockReleased(const char *file, int line, const volatile void *lock, long is_write);
void AnnotateBenignRaceSized(const char *file, int line, const volatile void *p, unsigned long n,
                             const char *why);
void AnnotateExpectRace(const char *file, int line, const volatile void *p, const char *why);
void AnnotateFlushExpectedRaces(const char *file, int line);
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreSyncBegin(const char *file, int line);
void AnnotateIgnoreSyncEnd(const char *file, int line);
void AnnotateThreadName(const char *file, int line, const char *name);
void AnnotateHappensBefore(const char *file, int line, const volatile void *p);
void AnnotateHappensAfter(const char *file, int line, const volatile void *p);
void AnnotateNewMemory(const char *file, int line, const volatile void *p, unsigned long n);
#ifdef __cplusplus
}
#endif
#endif
