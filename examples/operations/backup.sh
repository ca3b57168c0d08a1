#!/bin/sh
# Saves the database of a team's sandbox: sh backup.sh FOLDER. DATABASE_URL names it. A file is there whole or not at all.
set -eu
name="$1/sandbox-$(date +%F-%H%M%S).dump"
pg_dump --format=custom --no-owner --file "$name.part" "$DATABASE_URL"
pg_restore --list "$name.part" > /dev/null
mv "$name.part" "$name"
# Restore it with: pg_restore --clean --if-exists --no-owner --dbname "$DATABASE_URL" FILE
find "$1" -name 'sandbox-*.dump' -mtime +30 -delete
