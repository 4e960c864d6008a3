#!/bin/sh
# Run a command whose programs were built with irsan-cc, and leave what irsan has found in files that
# services read.
#
#   irsan-check.sh [-o FOLDER] [-b BASELINE] [-F FAIL-ON] [-f FORMAT:NAME]... [--] COMMAND [WORD]...
#
#   -o FOLDER        where reports go (default: irsan-reports)
#   -b BASELINE      an earlier all.json: what it has fails nothing
#   -F FAIL-ON       rules and levels that fail, as for --fail-on (default: every fault)
#   -f FORMAT:NAME   the joined report in another form, as sarif:findings.sarif (repeatable;
#                    default: sarif:findings.sarif junit:findings.xml markdown:summary.md)
#
# Every process that finds something writes FOLDER/processes/PID.json; FOLDER/all.json joins them.
# Status: the command's own; where that is 0, 66 when something was found that fails.
set -u

usage() {
    echo "irsan-check.sh: $1" >&2
    exit 2
}

folder=irsan-reports
baseline=
fail_on=
formats=
while [ $# -gt 0 ]; do
    case $1 in
        -o | -b | -F | -f) [ $# -gt 1 ] || usage "$1 needs a word" ;;
    esac
    case $1 in
        -o) folder=$2; shift 2 ;;
        -b) baseline=$2; shift 2 ;;
        -F) fail_on=$2; shift 2 ;;
        -f) formats="$formats $2"; shift 2 ;;
        --) shift; break ;;
        -*) usage "unknown option $1" ;;
        *) break ;;
    esac
done
[ $# -gt 0 ] || usage "no command"
formats=${formats:-sarif:findings.sarif junit:findings.xml markdown:summary.md}
[ -z "$baseline" ] || [ -r "$baseline" ] || usage "$baseline: cannot be read"

rm -rf "$folder/processes" && mkdir -p "$folder/processes" || exit 74
folder=$(cd "$folder" && pwd) || exit 74
rm -f "$folder/all.json"
if [ -n "$baseline" ]; then
    baseline=$(cd "$(dirname "$baseline")" && pwd)/$(basename "$baseline")
fi

options="report_path='$folder/processes/%p.json'"
[ -z "$baseline" ] || options="$options:baseline='$baseline'"
[ -z "$fail_on" ] || options="$options:fail_on='$fail_on'"
status=0
IRSAN_OPTIONS="${IRSAN_OPTIONS:+$IRSAN_OPTIONS:}$options" "$@" || status=$?

if [ -z "$(ls "$folder/processes")" ]; then
    echo "irsan: nothing was found" >&2
    # A clean report all the same, so that services see that what was found before is gone.
    printf '{"schema": "irsan-report/1", "program": "all"}\n' > "$folder/processes/none.json"
fi
irsan report merge "$folder/processes" -o "$folder/all.json" || exit $?
for format in $formats; do
    irsan report convert "$folder/all.json" --to "${format%%:*}" -o "$folder/${format#*:}" || exit $?
done
echo "irsan: reports are in $folder" >&2
[ "$status" -eq 0 ] || exit "$status"

# Programs that a test harness has forgiven, or whose status it never saw, still count.
if [ -z "$baseline" ]; then
    baseline=$folder/empty.json
    printf '{"schema": "irsan-report/1", "program": "all"}\n' > "$baseline"
fi
irsan report diff "$baseline" "$folder/all.json" ${fail_on:+--fail-on "$fail_on"}
