#!/bin/sh
# Sends the rows of a file once, whatever happens to this script or its machine: sh nightly.sh FILE
alert() { echo "ALERT: $1" >&2; }        # send it to where your team looks

job="limits-$(date +%F)"                 # the file of a day is one job
stop=
trap 'stop=143; kill $!' TERM INT        # a container stops only this shell
for pause in ${PAUSES:-0 60 300}; do     # 11 may be a short outage: try again before you alert
  sleep "$pause" & wait $!
  [ -z "$stop" ] || exit $stop
  cardctl bulk run accounts patch --type credit --from "$1" --job-key "$job" \
    --failed-rows "failed-$job.csv" --max-failures 10 --yes &
  wait $!
  code=$?
  while [ $code -gt 128 ] && kill -0 $! 2>/dev/null; do wait $!; code=$?; done
  [ "$stop$code" = 11 ] || break
done

case $code in
  0) ;;                                  # all rows are done, now or by an earlier run
  7 | 9 | 13 | 129 | 130 | 143) ;;       # stopped early: the next run continues
  17) ;;                                 # another process is at it: the next run continues
  11) alert "$job: not all rows are done, the last lines of the log say why" ;;
  *) alert "$job stopped or did not start, exit code $code" ;;
esac
exit $code
