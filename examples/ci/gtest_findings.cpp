// Link this into a test program of GoogleTest: a finding fails the test that was running, and the
// tests behind it run all the same when memory errors do not end the program:
//
//     ASAN_OPTIONS=halt_on_error=0 ./tests --gtest_output=xml:result.xml
#include <gtest/gtest.h>

extern "C" {
void __asan_on_error() { ADD_FAILURE() << "irsan: a memory error; its report is above"; }
void __tsan_on_report(void *) { ADD_FAILURE() << "irsan: a race; its report is above"; }
void __ubsan_on_report() { ADD_FAILURE() << "irsan: undefined behaviour; its report is above"; }
}
