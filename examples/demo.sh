#!/bin/sh
# What fairtrial does, in a minute: `make demo`. No key, no network, no model.
#
# Works in a copy of the example suites, so nothing here changes. Exits 0 only if every command
# below ended as it says, and the gate blocked the change that it must block.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export CI=1 # a missing baseline is then an error, where it would otherwise be made in passing

say() { # TEXT...: one line each
    printf '%s\n' "$@"
}

expect() { # CODE COMMAND...: show a command and what it prints, and hold it to its exit code
    wanted=$1
    shift
    say "" "\$ $*"
    code=0
    "$@" || code=$?
    if [ "$code" != "$wanted" ]; then
        say "" "demo: that should have exited with $wanted, not with $code" >&2
        exit 1
    fi
}

say "Four agents were recorded at their work: every tool call, every result, every answer." \
    "Each has cases that say what a correct trial must show, and an accepted baseline." \
    "" \
    "1. Grade what was recorded, and hold each suite against its baseline."
for suite in operations shop support travel; do
    cp -R "$here/$suite" "$copy/$suite"
    cd "$copy/$suite"
    say "" "-- $suite: $(sed -n '1s/^# //p' README.md)"
    expect 0 fairtrial grade --recordings recordings.jsonl --quiet
    expect 0 fairtrial gate
done

cd "$copy/shop"
say "" \
    "2. Somebody changed the shop's agent. It saves a call, and its answers read just as well." \
    "   But it no longer asks the carrier where a parcel is: it guesses. Grade what it did now."
expect 1 fairtrial grade --recordings candidate.jsonl

say "" \
    "3. May that change go in? The gate holds it against the baseline, case by case."
expect 1 fairtrial gate

say "" \
    "The exit code is $code: a build stops here, and the change reaches nobody." \
    "Next: docs/first-suite.md makes a suite of your own, from nothing to this point."
