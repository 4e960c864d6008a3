# Findings as failures of the test that ran, also of tests whose status ctest does not look at
# (PASS_REGULAR_EXPRESSION, WILL_FAIL). At the end of the CMakeLists.txt that adds tests:
#
#     include(IrsanTests)
#     irsan_findings_fail_tests()
#
# ctest --output-on-failure then shows the reports, --output-junit writes them for services.

set(IRSAN_FINDING_REGEX
    "(ERROR: (Address|Leak)Sanitizer|WARNING: (Thread|Memory)Sanitizer|: runtime error: |GWP-ASan detected)")

function(irsan_findings_fail_tests)
    get_property(tests DIRECTORY PROPERTY TESTS)
    if(tests)
        set_property(TEST ${tests} APPEND PROPERTY FAIL_REGULAR_EXPRESSION "${IRSAN_FINDING_REGEX}")
    endif()
endfunction()
