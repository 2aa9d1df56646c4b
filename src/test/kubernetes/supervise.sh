#!/bin/sh
# Runs a command for as long as the JVM that started it holds this script's standard input open: when that JVM ends, however it ends,
# the command ends too. A shutdown hook alone would leave orphans behind after kill -9.
exec 3<&0
"$@" < /dev/null 3<&- &
child=$!
(cat <&3 > /dev/null; kill "$child") 2> /dev/null &
exec 3<&-
trap 'kill "$child" 2> /dev/null' TERM INT
wait "$child"
wait "$child" # the first wait ends early when the trap runs
