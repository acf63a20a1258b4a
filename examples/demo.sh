#!/bin/sh
# What fairtrial does, in half a minute: `make demo`. No key, no network, no model.
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

enter() { # SUITE: a fresh copy of it
    cp -R "$here/$1" "$copy/$1"
    cd "$copy/$1"
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

enter shop
say "An agent answers \"where is my parcel?\": its own code, the real OpenAI SDK, and tools that" \
    "act on a small world, made afresh for every trial. A script in each case speaks for the" \
    "model, so it runs offline." \
    "" \
    "1. Run it on every case, three times each."
expect 0 fairtrial run

say "" \
    "2. Somebody changes the agent. It saves a call, and its answers read just as well." \
    "   But it no longer asks the carrier where a parcel is: it guesses."
expect 1 fairtrial run --variant no-carrier

say "" \
    "3. May that change go in? The gate holds it against the accepted results, case by case."
expect 1 fairtrial gate
blocked=$code

say "" "4. Three more agents: async and streaming, over Anthropic's SDK, and one that moves money."
for suite in operations travel support; do
    enter "$suite"
    say "" "-- $suite: $(sed -n '1s/^# //p' README.md)"
    expect 0 fairtrial run --gate --quiet
done

say "" \
    "The change to the order desk's agent was stopped with exit code $blocked: it reaches nobody." \
    "Next: 'fairtrial init' makes a suite of your own; README.md, \"With your own agent\", says how."
