#!/bin/sh
# Gets a call as JSON on stdin, and writes the decision to stdout: declines casinos, approves the rest.
# With --strict it also declines cash.
call=$(cat)
declined='"7995"'
[ "$1" = --strict ] && declined='"7995"|"6011"'
if printf %s "$call" | grep -Eq "$declined"; then echo 'decline 57'; else echo approve; fi
