export const ASKED_OF_PAGES_OF_SCRIPTS: Readonly<Record<string, string>> = {
  'bulk.md': `
    many rows, mass change, csv of accounts, spreadsheet of changes, hundreds of accounts, batch job,
    same change, change many, change excel, change spreadsheet, change card excel, same change card,
    many cards, speed of a run, list of accounts, spreadsheet, many accounts at once, csv file, excel,
    rate limit of a run, run the same command for each line, loop over customers,
    change limits for a whole list, update accounts from a file, mass mailing of changes,
    thousands of changes at once, upload a list of changes, send rows of a sheet,
    process a file of requests, batch update, csv upload, import changes from a file`,
  'bulk.md#Rows': `
    columns of the file, fields for rows, file format for bulk, which columns, header names, map columns,
    empty cells, tsv, ndjson input, json lines input, big file, millions of rows, huge csv, file too large,
    required columns, rename a column, ignore a column, leave a column out, fixed value for every row,
    default value for all rows, empty value in a cell, null in a cell, check the file first,
    errors in the file, file is empty, wrong number of rows, expected number of rows, unknown column,
    confirm a number of rows, delete many things, read rows from stdin, no precheck, xlsx with many rows`,
  'bulk.md#Jobs of a pipeline': `
    job key, run twice, same file twice, pipeline started again, run the job twice safely,
    restart of a container, new container every night, same job name, continue by name,
    retry failed rows of a job key, first run on a new machine, JOB_DIFFERS, JOB_RUNNING,
    idempotent pipeline`,
  'bulk.md#Rate': `
    requests per second, rate limit, slower, throttle, too fast, limit a second, speed of a run,
    5 requests per second, at most some requests per second, maximum requests per second, slow down, quota,
    requests per minute, be gentle with the service, concurrency, speed up, slow the run down,
    throttled by the service, share of the quota, pause after 429, half the rate, how many rows in progress,
    max pause, run pauses, rate off, load on the service`,
  'bulk.md#Order of rows': `
    order, in parallel, one after the other, concurrency, two rows for the same account,
    older value overwrites a newer one, row is held, held rows, EARLIER_ROW_FAILED, EARLIER_ROW_UNKNOWN,
    send rows in any order, unordered rows, sequence of rows`,
  'bulk.md#Row states': `
    states of rows, open row, failed row, what does held mean, what does waiting mean, state of a row,
    rows left, open rows, CHANGED_SINCE, which rows are resent, unknown rows`,
  'bulk.md#What a run says': `
    summary of a run, progress, json of a run, error summary of a run, most frequent reasons, PARTLY_DONE,
    log of a run, output of a run`,
  'bulk.md#When a run stops early': `
    run stopped, stop at the first error, abort after failures, too many failures,
    token expired while running, continue on error, fail fast, stop after 10 errors, maximum failures,
    credentials expired in the middle, ctrl-c during a run, disk full during a run, run ended too early,
    five refusals in a row, keep going after errors, cancel the rest, why was it aborted`,
  'bulk.md#Other machines and services': `
    move a job, other server, export a job, take a job to another computer, job on another server,
    import a job`,
  'bulk.md#Plans: look first, then send exactly that': `
    plan file, review changes before sending, four eyes for a file, diff of a file, preview as markdown,
    pull request with changes, terraform plan, plan is stale, PLAN_STALE, plan expired, plan refused,
    approve a plan, compare old and new values, what will change`,
  'fleet.md': `
    several machines, kubernetes pods, workers, shared rate, distributed, cluster, replicas,
    rate limit of several machines, more than one machine, several servers, horizontal scaling,
    one job on three machines, shared quota, parallel workers, kubernetes replicas, autoscaling,
    two servers run the same job, spread the work, scale out, split a job over machines,
    load shared between hosts, common rate for all servers, central database for jobs, team store,
    cluster of workers, more throughput, coordinate machines`,
  'fleet.md#Set it up': `
    team store in a profile, postgres for the rate, connection to the shared database, rate store`,
  'fleet.md#What is shared': `
    quota over all machines, one machine got 429, fair share between processes, clocks of machines differ`,
  'fleet.md#A nightly job on three machines': `
    worker died, lease of a worker, dead worker, prepare a shared job, team key, row nobody sends,
    LEASE_ENDED, OTHER_WORKER, unknown row of a shared job`,
  'fleet.md#What the database has': `
    is the shared database encrypted, what is in the shared database, change the team key`,
  'fleet.md#When the database is away': `
    database down during a job, postgres is down, database restored from a backup,
    lost connection to the shared database`,
  'idempotency.md': `
    sent twice, duplicate, retry, same request again, safe to repeat, crash while sending,
    killed in between, lost power, avoid double transfers, paid twice, is it safe to repeat, exactly once,
    at most once, double booking, safe retry, no duplicates, timeout while sending, what if it crashes,
    no double sending, was it sent already, resend safely, prevent a second payment, crash safety,
    network drops while sending, connection reset during a write, repeat after a failure,
    what happens if the power goes, send exactly once, guarantee`,
  'idempotency.md#The journal': `
    journal, what is logged, local log of requests, what does unfinished mean, what does unknown mean,
    status of a request, where are my requests recorded, write ahead log, requests for one account`,
  'idempotency.md#One journal per service': `
    service has a new url, base url changed, moved service, OTHER_SERVICE, STORE_DAMAGED,
    journal is missing, two profiles one service, tenant of a service`,
  'idempotency.md#Keys': `
    idempotency key, does it retry, automatic retry, retries, retry after an error, 503, 429, 502, 504,
    automatic repeat, own idempotency key, retry policy, how often does it retry, backoff, retry after 503,
    x-idempotency-key, Idempotency-Key header, same key twice, KEY_REUSED, KEY_NOT_HONOURED,
    ANSWER_REPLAYED, nothing was changed now, how many retries, key valid for 24 hours, retry on timeout,
    exponential backoff, service does not support keys, own header for the key, how often is it tried again`,
  'idempotency.md#What proves that nothing happened': `
    which status means no effect, 403 html page, 502 bad gateway, 503 retry-after, gateway timeout,
    redirect after a write, 202 accepted, error inside a 200, when is a write done`,
  'idempotency.md#Accepted requests': `
    202 with location, asynchronous operation, poll until completed, service works in the background,
    accepted timeout`,
  'idempotency.md#How long it is kept': `
    how long is the journal kept, retention, how long are sent transfers remembered,
    how long does it remember, old requests are removed, clean up the journal, keep requests longer,
    CARDCTL_KEEP, journal grows, shrink the file, history older than 90 days`,
  'idempotency.md#A clock that may be wrong': `
    clock is wrong, date of the machine changed, time jumped, clock is right, machine with a wrong date, ntp`,
  'idempotency.md#Exit 10: find out what happened': `
    unknown effect, did it happen, was the money sent, cannot tell yet, found effect, record what I found,
    look it up in the ledger, reference of a batch, resolve a request`,
  'idempotency.md#Transfers': `
    transfer twice, paid twice, transfer interrupted, killed during a transfer, same payment again,
    transfer sent twice by accident, prevent duplicate transfers, same file again, resend failed transfers,
    pay the same file again, ALREADY_SENT, duplicate rows, same rows twice, several batches,
    split a big file, batch size, rest of a file, confirm count, confirm total, failed transfers again,
    only new transfers, same transfer twice on purpose, cancel a transfer, recall a transfer, transfer undo,
    two people send the same file`,
  'nightly-job.md': `
    cron, schedule, every night, CI, github actions, gitlab, jenkins, systemd, kubernetes job, unattended,
    without a terminal, alert on failure, ran twice, job in the night, crontab, systemd timer, kubernetes,
    ci pipeline, logrotate, SIGPIPE, jobkey, prometheus, without keyring, no keyring, script hangs,
    waits for input, pin the version, which version in CI, batch every day, scheduled run,
    job in a pipeline, secrets in CI, service account, no terminal, alert by email, exit code in a script,
    retry tomorrow, idempotent job, run every hour, credentials in github actions, timer,
    automatic run every day, job while nobody is there, scheduled task, cron job template,
    script for production, unattended job, batch at night, pipeline step, monitoring of a job,
    restart after reboot, headless, run in the background, jenkins job, airflow, daemon`,
  'nightly-job.md#The script': `
    shell script template, trap SIGTERM, wait between tries, script with retries, example script`,
  'nightly-job.md#A good night': `
    crontab line, every hour from one to five, cron environment, cron does not find cardctl, path in cron,
    run again does nothing`,
  'nightly-job.md#When a night fails': `
    some rows failed, failed rows next day, exit 11, service not available at night,
    outage during the night, try again later, job failed last night, alert, tries again, who is paged`,
  'nightly-job.md#On a live service': `
    unattended writes in production, machine user, cron on production, job user, machine user for a job,
    journal on a volume, json logs of a job, ephemeral runner, file was cut off`,
  'nightly-job.md#Ready files': `
    systemd unit, docker, kubernetes manifest, github workflow, logrotate, prometheus metrics,
    crontab example, Dockerfile of a job, cronjob yaml, github actions workflow, gitlab ci yaml,
    systemd timer example, alert rules`,
}
