#!/bin/sh
# Saves the database of a team's sandbox: sh backup.sh FOLDER. DATABASE_URL names it, and a superuser or a role with
# BYPASSRLS. A file is there whole or not at all.
set -eu
umask 077
name="$1/sandbox-$(date +%F-%H%M%S).dump"
trap 'rm -f "$name.part"' EXIT
pg_dump --format=custom --file "$name.part" "$DATABASE_URL"
pg_restore --list "$name.part" > /dev/null
mv "$name.part" "$name"
# Restore it by the commands of docs/team-sandbox.md, with this one in place of psql -f:
# pg_restore --exit-on-error --single-transaction --dbname sandbox FILE
find "$1" -name 'sandbox-*.dump' -mtime +30 -delete
