export const ASKED_OF_PAGES_OF_JOBS: Readonly<Record<string, string>> = {
  'bulk.md': `
    rows, mass change, csv accounts, spreadsheet changes, hundreds accounts, batch job, same change, change,
    change excel, cards, speed run, list accounts, spreadsheet, accounts once, csv file, excel, rate limit run,
    run same command each line, loop over customers, change limits list, update accounts file,
    thousands changes once, upload list changes, send rows sheet, process file requests, batch update,
    csv upload, import changes file, accounts, csv run, list processing, big file, thousands,
    change lot accounts, process csv, run every line, big batch changes`,
  'bulk.md#Rows': `
    columns file, fields rows, file format bulk, columns, header names, map columns, empty cells, tsv, ndjson
    input, json lines input, big file, millions rows, huge csv, file too large, required columns, rename
    column, ignore column, leave column out, fixed value every row, default value all rows, null cell, check
    file first, errors file, file empty, expected number rows, unknown column, confirm number rows, delete
    things, no precheck, xlsx rows, csv columns, column names, fixed value, null value, wrong row, validate
    file, precheck, row count, header missing, stdin rows, confirm count, row error, check csv, one value all,
    csv look, same value all rows, check file before sending, irreversible values file, csv of accounts, list
    of ids, change many accounts, same change many cards, header of csv, one row per account, update from file`,
  'bulk.md#Jobs of a pipeline': `
    job key, run twice, same file twice, run job twice safely, restart container, new container every night,
    continue name, retry failed rows job key, first run new machine, JOB_DIFFERS, JOB_RUNNING,
    idempotent pipeline, run once, start again, rerun, repeatable, already done, same job, new container,
    first run, ephemeral, started twice, cron overlap, overlapping runs, run same job twice,
    job started two times, safe rerun, start crashed job again, second run nothing,
    script ran two times accident, start same job again, make job repeatable, container new every time,
    job started second machine too, ensure job runs once, same file again tomorrow`,
  'bulk.md#Rate': `
    rate limit, slower, throttle, too fast, limit second, speed run, most some requests per second, slow down,
    quota, requests per minute, gentle service, concurrency, speed up, throttled service, share quota,
    pause after 429, half rate, rows progress, max pause, run pauses, rate off, load service, speed, faster,
    per second, parallel, 429, pause, gentle, overload, max-pause, run too slow, limit speed,
    don't overload service, make faster, requests parallel`,
  'bulk.md#Order of rows': `
    order, parallel, one after other, concurrency, two rows same account, older value overwrites newer one,
    row held, EARLIER_ROW_FAILED, EARLIER_ROW_UNKNOWN, send rows any order, unordered rows, sequence rows,
    sequence, same account twice, held, parallel rows, unordered, two changes same account file`,
  'bulk.md#Row states': `
    states rows, open row, failed row, held mean, waiting mean, rows left, CHANGED_SINCE, rows resent,
    unknown rows, waiting, held, again, unknown, sent, failed`,
  'bulk.md#What a run says': `
    summary run, progress, json run, most frequent reasons, PARTLY_DONE, log run, output run, summary, reasons,
    progress lines, next command, summary end, progress log`,
  'bulk.md#When a run stops early': `
    run stopped, abort after failures, too failures, token expired while running, continue error, fail fast,
    stop after 10 errors, maximum failures, credentials expired middle, ctrl-c during run, disk full during
    run, run ended too early, keep going after errors, cancel rest, aborted, stopped, max failures, keep
    going, stop error, service down, ctrl-c, five refusals, give up after, stop first mistake, abort rows
    fail, errors until gives up, stop something fails, pause run, ran out disk during run, interrupt run
    safely, half rows done, continue where it stopped, stopped in the middle, half done, rest of rows, crashed
    halfway, carry on, laptop died, reboot during run, killed by timeout, network broke in run`,
  'bulk.md#Other machines and services': `
    move job, other server, export job, take job another computer, job another server, import job,
    other machine, take unfinished job along, job new server`,
  'bulk.md#Plans: look first, then send exactly that': `
    plan file, review changes before sending, four eyes file, diff file, preview markdown, terraform plan,
    plan stale, PLAN_STALE, plan expired, plan refused, approve plan, compare old new values, change, plan,
    preview, review, dry run, approve file, diff, plan old, pull request, look before sending,
    approve changes first, review then apply, review before anything changes, four eyes spreadsheet,
    preview then execute`,
  'fleet.md': `
    several machines, kubernetes pods, workers, shared rate, distributed, cluster, replicas, rate limit
    several machines, more one machine, several servers, horizontal scaling, one job three machines, shared
    quota, parallel workers, kubernetes replicas, autoscaling, two servers run same job, spread work, scale
    out, split job over machines, load shared between hosts, common rate all servers, central database jobs,
    team store, cluster workers, more throughput, coordinate machines, servers, pods, two hosts, two servers,
    second server, both machines, concurrent machines, load sharing, simultaneous jobs, coordinate, lock
    between machines, leader, ran both, cron two machines, several servers one job, jobs machines, only one
    machine run, share rate over machines, same job twice different hosts, parallel servers, more machines
    faster, run job hosts, several servers same time, both servers started job, more one runner, two machines
    same work, avoid two hosts send same rows, two build agents, agents start same task, same task twice at
    once, two runners, parallel pipeline runs, same pipeline twice, several containers, two workers, many
    hosts, run on all nodes, active active, standby machine, overlap on other machine, started on two nodes,
    concurrently different machines, work queue, more workers, speed up job`,
  'fleet.md#Set it up': `
    postgres rate, rate store, team store, shared database, database workers, cardctl_pace, cardctl_jobs,
    connect several machines`,
  'fleet.md#What is shared': `
    quota over all machines, fair share between processes, clocks machines differ, shared rate, turns,
    quota together, rate limit over all hosts, 429 one machine`,
  'fleet.md#A nightly job on three machines': `
    worker died, lease worker, dead worker, team key, row nobody sends, LEASE_ENDED, OTHER_WORKER,
    unknown row shared job, lease, shared job, split job, three machines, worker crashed,
    split work between machines, machine sent row`,
  'fleet.md#What the database has': 'shared database, encrypted job, team key, job data',
  'fleet.md#When the database is away': `
    postgres down, lost connection shared database, database outage, database restore, postgres gone,
    job database down`,
  'nightly-job.md': `
    cron, schedule, every night, CI, github actions, gitlab, jenkins, systemd, kubernetes job, unattended,
    without terminal, alert failure, ran twice, job night, crontab, systemd timer, kubernetes, ci pipeline,
    logrotate, SIGPIPE, jobkey, prometheus, without keyring, no keyring, script hangs, waits input, pin
    version, version CI, scheduled run, job pipeline, secrets CI, service account, no terminal, alert email,
    exit code script, retry tomorrow, idempotent job, run every hour, timer, automatic run every day, job
    while nobody, scheduled task, script production, unattended job, batch night, pipeline step, monitoring
    job, restart after reboot, headless, run background, jenkins job, airflow, daemon, nightly, automation, ci
    job, pipeline, background, scheduler, script, monitoring, alerting, periodic, every day, weekly run, batch
    window, schedule payments, cron job, run without person, unattended run, automatic job, stop script error,
    script cron, build server job, run ci, without anybody watching, nobody watching, every morning, at 2 am,
    scheduled, job ran on sunday, mail when job fails, alert on failure, job didn't start, exit code in cron,
    log of last night, job in container`,
  'nightly-job.md#The script': `
    trap SIGTERM, wait between tries, script retries, example script, shell script, bash script, retry loop,
    trap, stop first failure, script exit codes, handle sigterm`,
  'nightly-job.md#A good night': `
    crontab line, every hour one five, cron environment, cron not find cardctl, path cron, run again nothing,
    crontab, hourly, crontab entry, cron not find program, variables missing cron`,
  'nightly-job.md#When a night fails': `
    some rows failed, failed rows next day, exit 11, service not available night, outage during night, try
    again later, job failed last night, alert, tries again, who paged, failed night, morning after, job alert,
    pager, job failed tonight, on-call paged, died halfway start over, safe to start over, job was killed,
    rerun after failure, can I rerun, half finished night`,
  'nightly-job.md#On a live service': `
    unattended writes production, machine user, cron production, job user, journal volume, json logs job,
    ephemeral runner, file cut off, live job, production job, volume, persistent journal, job profile,
    password job, automation production, service account job, volume data, runner without disk`,
  'nightly-job.md#Ready files': `
    systemd unit, docker, kubernetes manifest, github workflow, logrotate, prometheus metrics, crontab example,
    Dockerfile job, cronjob yaml, gitlab ci yaml, alert rules, systemd, kubernetes, cronjob, github actions,
    gitlab, prometheus, yaml, template, manifest, ready made, jenkinsfile, azure devops, circleci,
    example systemd, example kubernetes, docker job, gitlab example, systemd timer, kubernetes cronjob,
    gitlab pipeline, dockerfile, log rotation, prometheus alerts, airflow, helm compose`,
}
