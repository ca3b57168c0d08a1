/** What people say whom a page helps, or the part of it below a heading (`#`), in words that it doesn't have itself. With commas between. */
export const ASKED_OF_PAGES: Readonly<Record<string, string>> = {
  'agents.md': `
    AI, LLM, coding assistant, agent, MCP, chatbot, safe for an AI, assistant, model context protocol,
    ai agent, coding agent, claude, cursor, use with an LLM, automation by AI, prompt, tools`,
  'bulk.md': `
    many rows, mass change, csv of accounts, spreadsheet of changes, hundreds of accounts, batch job,
    same change, change many, change excel, change spreadsheet, change card excel, same change card,
    many cards, speed of a run, list of accounts, spreadsheet, many accounts at once, csv file, excel,
    rate limit of a run`,
  'bulk.md#Jobs of a pipeline': 'job key, run twice, same file twice, pipeline started again',
  'bulk.md#Order of rows': 'order, in parallel, one after the other, concurrency',
  'bulk.md#Other machines and services': 'move a job, other server',
  'bulk.md#Rate': `
    requests per second, rate limit, slower, throttle, too fast, limit a second, speed of a run,
    5 requests per second, at most some requests per second, maximum requests per second, slow down, quota,
    requests per minute, be gentle with the service, concurrency, speed up`,
  'bulk.md#Row states': 'states of rows, open row, failed row',
  'bulk.md#Rows': `
    columns of the file, fields for rows, file format for bulk, which columns, header names, map columns,
    empty cells, tsv, ndjson input, json lines input, big file, millions of rows, huge csv, file too large`,
  'bulk.md#What a run says': 'summary of a run, progress, json of a run',
  'bulk.md#When a run stops early': `
    run stopped, stop at the first error, abort after failures, too many failures,
    token expired while running, continue on error, fail fast, stop after 10 errors, maximum failures,
    credentials expired in the middle`,
  'dialects.md': `
    other service, other field names, other paths, map fields, adapt commands to my api, another service,
    minor units, my service has other paths, field names differ, other json, cents instead of euros, adapt`,
  'first-day.md': `
    connect my own service, real service, real credentials, get started with our bank, production access,
    go live, my own service, use it with my bank, connect to production, sandbox to production,
    switch to production, production, onboarding, first connection, try with our test system,
    check the connection, is our service compatible`,
  'first-webhook.md': `
    minimal endpoint, smallest endpoint, first webhook, hello world endpoint, example server,
    write an endpoint, endpoint in node, endpoint in python, tutorial for the webhook,
    getting started with the webhook, webhook in express, webhook in flask, java endpoint, go endpoint,
    php endpoint, how do I start with webhooks, quick start for developers, sample code,
    build a server for authorisations`,
  'first-webhook.md#The life of a hold': `
    hold, release of a hold, reservation, clearing, reversal, when is money released, expired hold,
    when does a hold end, completion of a purchase, incremental authorisation, partial clearing,
    pre-authorisation, what happens after approval`,
  'fleet.md': `
    several machines, kubernetes pods, workers, shared rate, distributed, cluster, replicas,
    rate limit of several machines, more than one machine, several servers, horizontal scaling,
    one job on three machines, shared quota, parallel workers, kubernetes replicas, autoscaling`,
  'fleet.md#When the database is away': 'database down during a job',
  'four-eyes.md': `
    second person, approval, dual control, maker checker, two people, needs approval, who may approve,
    two people must approve, approval rights, approve own request, waiting for approval,
    why does my change wait, second pair of eyes, second approver, release by a colleague, sign off,
    approval workflow, who has to approve, needs a second person, says it wants a second person`,
  'gate.md': `
    server of another user, credentials that colleagues never see, jump host, service account,
    hide the token from users, shared credential, broker, proxy with policy, daily limit of a user`,
  'idempotency.md': `
    sent twice, duplicate, retry, same request again, safe to repeat, crash while sending,
    killed in between, lost power, avoid double transfers, paid twice, is it safe to repeat, exactly once,
    at most once, double booking, safe retry, no duplicates, timeout while sending, what if it crashes`,
  'idempotency.md#Exit 10: find out what happened': 'unknown effect, did it happen',
  'idempotency.md#How long it is kept': `
    how long is the journal kept, retention, how long are sent transfers remembered,
    how long does it remember`,
  'idempotency.md#Keys': `
    idempotency key, does it retry, automatic retry, retries, retry after an error, 503, 429, 502, 504,
    automatic repeat, own idempotency key, retry policy, how often does it retry, backoff, retry after 503`,
  'idempotency.md#The journal': 'journal, what is logged, local log of requests',
  'idempotency.md#Transfers': `
    transfer twice, paid twice, transfer interrupted, killed during a transfer, same payment again,
    transfer sent twice by accident, prevent duplicate transfers, same file again, resend failed transfers`,
  'imported-contracts.md': `
    openapi, swagger, own commands, commands for our api, import a spec, openapi bank, own openapi,
    openapi file, extra operations of my service, custom endpoints, commands from swagger, other resources`,
  'imported-contracts.md#Lists': `
    pagination of an imported list, next page, cursor, all pages of my own list`,
  'imported-contracts.md#Secrets, ids and personal data': `
    mask fields of an imported contract, personal data in an imported contract`,
  'installation.md': `
    install, setup, download, apt, npm, windows, mac, which node version, without node, offline install,
    docker image, container, uninstall, update, new version, remove cardctl, debian, command not found,
    not recognised command, newest version, latest version, which node, docker, container image,
    pin a version, which version, how do I install, requirements, supported systems, arm64, alpine,
    apt install, exe, without internet, air gapped, root needed, permission to install`,
  'installation.md#Check what you got': 'checksum, verify a download, signature of a package, provenance',
  'installation.md#Completion': 'tab does nothing, zsh, fish',
  'installation.md#On Debian': 'ubuntu, deb package, apt repository',
  'installation.md#Uninstall': 'uninstall, remove the program, get rid of it',
  'installation.md#Upgrade': 'upgrade, update, old data after an upgrade, newer version, downgrade',
  'installation.md#With npm': 'npm package, npx, global package',
  'installation.md#macOS and Windows': 'windows, macos, powershell, homebrew',
  'nightly-job.md': `
    cron, schedule, every night, CI, github actions, gitlab, jenkins, systemd, kubernetes job, unattended,
    without a terminal, alert on failure, ran twice, job in the night, crontab, systemd timer, kubernetes,
    ci pipeline, logrotate, SIGPIPE, jobkey, prometheus, without keyring, no keyring, script hangs,
    waits for input, pin the version, which version in CI, batch every day, scheduled run,
    job in a pipeline, secrets in CI, service account, no terminal, alert by email, exit code in a script,
    retry tomorrow, idempotent job, run every hour, credentials in github actions, timer`,
  'nightly-job.md#On a live service': 'unattended writes in production, machine user',
  'nightly-job.md#Ready files': `
    systemd unit, docker, kubernetes manifest, github workflow, logrotate, prometheus metrics`,
  'nightly-job.md#When a night fails': `
    some rows failed, failed rows next day, exit 11, service not available at night, outage during the night, try again later`,
  'output.md': `
    json, csv, yaml, jq, format, columns, only some fields, only ids, one field, header line, table,
    machine readable, parse the output, pipe to another program, sort, filter, columns csv, filter list,
    as yaml, as csv, sort list, hide header, print json, only the id, print one value, extract a field,
    jmespath, save to a file, output to excel, quiet output, tab separated, pretty print, raw output,
    assign to a variable, without header, sorted`,
  'output.md#Amounts and times': `
    time zone, dates, rounding, amounts, cents, currency, utc, local time, time zone of times,
    currency format`,
  'output.md#Colour, pager, progress': `
    colours, no colour, pager, less, progress bar, spinner, quiet, turn off colour, plain output,
    no spinner, no pager`,
  'output.md#Errors': `
    error as json, error format, stderr, parse errors, catch an error in a script, error code in json,
    parse the error, stderr as json`,
  'output.md#Length of lists': `
    all pages, more results, pagination, only 30 results, limit of a list, next page, truncated list,
    fetch everything, page size, cursor, too many results, only 30 shown`,
  'output.md#Logs for programs': 'json logs, trace id, opentelemetry, log lines',
  'output.md#Numbers that people type': `
    decimal comma, comma or point, thousands separator, 1.234, 56, 1.000, european numbers, comma as decimal`,
  'output.md#Responses that differ from the contract': `
    unknown field, response differs, strict, warning about a response, warning about unknown members,
    service returns other fields`,
  'output.md#Schemas': `
    json schema of a result, stable field names, field names after an update, compatibility`,
  'output.md#Signals and closed terminals': 'ctrl-c, SIGTERM, SIGPIPE, closed pipe, head',
  'output.md#Spreadsheets of other people': `
    excel, semicolon, umlauts, encoding, xlsx, other column names, file from a customer, german excel,
    latin1, bom, semicolon separated, other headers`,
  'output.md#Watching a read': 'watch, repeat every few seconds, wait until a value changes, poll',
  'pin-device.md': `
    PIN in an app, PIN on the phone, encrypted PIN, PIN block from a device, control id,
    set a pin on the phone of the cardholder, never see the pin, PIN from an app, PIN on a terminal,
    encrypted PIN for a phone, customer chooses the PIN in the app`,
  'policy.md': `
    limit what colleagues may do, forbid commands, maximum amount, who may send what, restrict staff,
    permissions of colleagues, stop transfer amount, forbid transfer, forbid transfer amount,
    limit what colleagues do, who may do what, forbid a command, allow a command, largest amount,
    restrict interns, max amount for colleagues, forbid closing accounts, only allow reads, who is allowed,
    company rules, admin decides`,
  'profiles.md': `
    profile, environments, test and production, several services, credentials, settings, timeout, proxy,
    base url, read-only, read-only access, support staff read-only, read-only colleague,
    certificate authority, self-signed, certificate chain, verify certificate, client certificate, log in,
    login, switch profile, connect to my service, dev test prod, accounts for each environment, config file,
    proxy settings, audit user`,
  'profiles.md#Agents': 'agent on production, what may an AI do',
  'profiles.md#Ceilings': `
    largest amount, ceiling, maximum of a transfer, stop large transfers, amount too high`,
  'profiles.md#Environment variables': `
    environment variables, proxy, https_proxy, CARDCTL_PROFILE, variables, proxy firewall, company proxy,
    corporate proxy, which variables, configure by environment, variables in docker, env var for the token`,
  'profiles.md#Files': `
    profiles.json, config file, timeout setting, rate setting, quota, timeout, time limit of requests,
    seconds to wait`,
  'profiles.md#How your service talks': `
    oauth, client credentials, basic auth, bearer, mTLS, api key header, login at the service, token url,
    oauth2, client id, token endpoint, scopes, api key in a header, hmac of requests, other header names`,
  'profiles.md#Kinds': `
    live, test, sandbox, kind of a profile, read-only, difference between test and live, protect production`,
  'profiles.md#Loosening a live profile': 'loosen a profile, remove a protection, change kind live',
  'profiles.md#Machines': 'service user, machine account, not a person',
  'profiles.md#Secrets': `
    password, secret, keyring, vault, password manager, secret from a command, secret from a file,
    token from the environment, store credentials, save password service, save password, store password,
    where password, put token, where token, set token, secret manager, read token from a file, hashicorp,
    aws secrets, 1password, pass, keychain, without keyring`,
  'profiles.md#What is asked before a request leaves': `
    why does it ask, type the host name, confirmation, are you sure, yes flag, ask before live,
    why must I type the id, confirm on live, are you sure question, skip confirmation,
    scripts and confirmation`,
  'profiles.md#Which value wins': 'flag or variable, precedence, order of settings',
  'sandbox.md': `
    fake service, mock, test server, unit tests, test without a service, local service, simulate,
    simulate an outage, simulate errors, test data, demo cards, develop without the service,
    offline development, integration tests, fake data, sandbox vs real service, what can I test`,
  'sandbox.md#A sandbox for each test, in any language': `
    tests in python, tests in java, tests in go, parallel tests, pytest, junit test, testcontainers,
    isolated tests`,
  'sandbox.md#Authorisations': 'purchases in the sandbox, holds, decline reasons, insufficient funds',
  'sandbox.md#Behaviour that the contract leaves open': `
    what does the sandbox do differently, assumptions of the sandbox`,
  'sandbox.md#Control operations': `
    time in the sandbox, fake clock, control api, fake time, sandbox time, set the time,
    fake time sandbox test`,
  'sandbox.md#Demo data': `
    test cards, demo cards, which card numbers, test accounts, which cards can I use, sample customer,
    example ids`,
  'sandbox.md#In your own tests': `
    mock in tests, jest, vitest, unit test, sandbox in code, in-process, import the sandbox in node,
    start and stop in a test, beforeEach, test framework`,
  'sandbox.md#Limits': 'what the sandbox cannot do, size of the sandbox',
  'sandbox.md#Outages to rehearse': `
    outage, error status, timeouts, 500, 429, slow service, practise an outage, chaos testing,
    test my error handling`,
  'sandbox.md#Snapshots': 'snapshot, fixtures, save and restore state, keep state between runs',
  'security.md': `
    security, is it safe, secrets, encryption, phones home, threat model, security review, protect data,
    new laptop, new computer, move laptop, copy journal, tampered log, log tampered, splunk, siem, syslog,
    personal data, gdpr, delete all data, another machine, backup, where are passwords kept,
    card numbers in logs, keyring, phone home, send data anywhere, does it call the internet,
    usage statistics, tracking, can it leak card numbers, is it secure, does it send data home,
    where do passwords go, pentest, risk, data protection officer, encryption at rest`,
  'security.md#Back up, restore, move': 'backup, new laptop, move to another computer, restore',
  "security.md#Erase a person's data": 'gdpr, erase, right to be forgotten, personal data',
  'security.md#How secrets come out': `
    masked card number, reveal, show the whole number, mask, hidden digits, unmask, show hidden digits,
    clear text number`,
  'security.md#How secrets go in': `
    type a secret, PIN on the command line, card number as argument, shell history`,
  "security.md#In anybody's hands": 'can a colleague get around it, malicious user, threat levels',
  'security.md#PCI DSS 4.0.1': `
    PCI, compliance, auditor, requirements, pci audit, card data compliance, requirement 3`,
  'security.md#Report a problem': 'report a vulnerability, found a security problem',
  'security.md#The audit trail for a collector of logs': 'splunk, siem, syslog, log collector, elastic',
  'security.md#What stays on disk': `
    files on disk, what is stored, encrypted on disk, is the journal encrypted, plain text, where is data,
    where is my data stored, which files does it keep, keep files, is it encrypted,
    does it store card numbers, files with secrets, encrypt the journal`,
  'security.md#What the audit trail proves': 'tamper, proof, integrity, forged entries',
  'support.md': `
    support staff, call centre, caller, customer on the phone, daily work, how to begin, screen reader,
    menu, be asked, first day in support, new colleague, training, how do I begin, practice, phone call,
    which command, typical questions of callers`,
  'support.md#Be asked for values': `
    menu, ask me for values, guided, interactive, do not know the command, wizard, step by step,
    I do not know the flags, ask me step by step, form, questions instead of flags`,
  'support.md#Find': 'find, search, which number is this',
  'support.md#History': 'who did this, earlier changes, old value before a change, what was it before',
  'support.md#Notes, tickets, times': `
    ticket number, note, reason, add a ticket, reason for a change, comment`,
  'support.md#Reports': 'report, hand over, pdf, html, print a report, report as pdf',
  'support.md#Screen readers': `
    screen reader, blind, accessibility, braille, plain lines, reads nonsense, no redraw`,
  'support.md#The end of the shift': 'report for the boss, hand over',
  'support.md#Undo': 'undo, take back',
  'team-sandbox.md': `
    shared sandbox, sandbox for the team, postgres, several people, tenants, own data for each team,
    password rotation, postgresql, several people share a sandbox, tenant, one sandbox for everybody,
    sandbox in the cloud, sandbox on a server, many users, helm, staging sandbox`,
  'team-sandbox.md#Back up, restore, fail over': 'failover, backup of the database, standby',
  'team-sandbox.md#Run it': `
    systemd, nginx, TLS, load balancer, health check, deploy, behind nginx, reverse proxy,
    https for the sandbox, monitoring, health endpoint, prometheus`,
  'team-sandbox.md#Set it up': 'database url, connection string',
  'team-sandbox.md#Size': 'how many users, how much memory, storage',
  'team-sandbox.md#Tenants': `
    tenant, token of a team, separate data, separate customers, isolate teams, quotas of a team,
    invite a colleague`,
  'team-sandbox.md#Traces': 'opentelemetry, tracing, metrics',
  'typescript.md': `
    typescript, javascript, library, import in code, npm package, sdk, types, use it as a library,
    require in node, types for the webhook, import types, sdk for javascript`,
  'typescript.md#Card cryptography': 'cryptogram, ARQC, PVV, cryptography, compute a CVV, check a CVV',
  'typescript.md#Keys, RSA and JWE': `
    decrypt, JWE, RSA, encrypted card number, key pair, decrypt card data, generate a key pair, JWK, OAEP`,
  'typescript.md#PIN blocks': `
    PIN block, ISO 9564, iso format, encrypt a PIN in code, format 0, format 4, make a PIN block`,
  'typescript.md#Signatures': 'verify a signature in code, hmac in node',
  'typescript.md#Test your endpoint': `
    test an endpoint in vitest, unit test of a handler, unit test my handler, send calls from code`,
  'webhook-recording.md': `
    recorded calls, inspector, look at calls, see requests in a browser, export calls, what is recorded,
    how long recordings kept, recordings kept, delete recordings, record calls, replay calls, log of calls,
    history of calls, debug my webhook, look at requests of yesterday, web page with calls, dashboard,
    see the full request that my server received, whole request, headers of a call`,
  'webhook-recording.md#Replay': `
    replay, compare old and new answers, regression, compare two versions of my endpoint,
    run old calls against new code`,
  'webhook-recording.md#Search': 'search calls, filter calls, query',
  'webhook-recording.md#What is recorded': `
    card numbers in recordings, masked recordings, personal data in recordings,
    how long are recordings kept, retention of recordings, are card numbers stored in recordings,
    delete recordings after some days, privacy of recordings`,
  'webhook-recording.md#Who can open it': `
    access to the inspector, share the inspector, link expired, inspector on another machine,
    share with a colleague, protect the page`,
  'webhook-rules.md': `
    rules, yaml rules, decide without code, decline over an amount, by merchant, by country, by time,
    allow list, block list, velocity, count per day, approve amount, approve merchant, decline casino,
    decline shop, approve automatically, authorise automatically, approve by rule, gambling, casino,
    decline a kind of shop, block merchants, decline gambling, approve everything, always decline,
    decline at night, foreign merchants, limit per day, count of purchases, yaml file of rules,
    decide by country, no code`,
  'webhook-rules.md#Answers': `
    partial approval, approve less, response code of a rule, delay an answer, simulate a slow answer,
    wrong answer on purpose, no answer, answer with a code, part of the amount, approve a part`,
  'webhook-rules.md#Check and change a file': 'reload rules, edit rules while running',
  'webhook-rules.md#Conditions': `
    condition, amount above, currency, merchant category code, mcc, time of day, country, decline amount,
    decline payment amount, decline by amount, decline merchant, decline by merchant category,
    over 200 euros, amount greater than, by merchant name, by currency, by country, by time, by card`,
  'webhook-tests.md': `
    test my endpoint, suite, certify, CI for my endpoint, load, expectations, duplicates, order of calls,
    certificate for my endpoint, is my endpoint right, check endpoint, load test,
    check my server automatically, endpoint in github actions, contract test of the webhook, fuzzing`,
  'webhook-tests.md#Certify an endpoint': `
    certificate, go live, must do, conformance, before going live, reversal before authorisation,
    out of order, concurrency of calls`,
  'webhook-tests.md#Expectations': 'assert on the answer, expected code, expected amount',
  'webhook-tests.md#Load tests': 'load test, performance, calls per second, latency, throughput, p99',
  'webhook-tests.md#Reports': `
    junit, html report, report for CI, test results file, junit xml, test results in CI`,
  'webhook-tests.md#Shipped suites': 'ready tests, smoke test',
  'webhook-tests.md#Suites': `
    write a suite, yaml suite, scenario, steps, several calls in a row, reversal after authorisation,
    use values of an earlier answer, order of messages`,
  'webhooks.md': `
    authorisation call, webhook, endpoint, answer, authorisation request, receive calls,
    forward calls endpoint, password of the endpoint, answer authorisation call, webhook retry,
    webhook duplicate, same call twice, duplicate call, endpoint url, what is an authorisation call,
    how does the webhook work, who decides, stand-in processing, webhook url, register my endpoint, events`,
  'webhooks.md#Access from other machines': `
    localhost from outside, tunnel, ngrok, reach my laptop, TLS for the webhook, listen on all interfaces,
    calls from the test system, expose my laptop, public url, https for local development, firewall,
    reach localhost`,
  'webhooks.md#Calls that differ from the contract': 'unknown field in a call, invalid call, schema of calls',
  'webhooks.md#Credentials': `
    password of the endpoint, bearer token of calls, basic auth for the webhook, mTLS of the endpoint,
    rotate the secret of the webhook, webhook secret rotated, new secret of the endpoint, password of calls,
    basic auth on my endpoint, bearer token on my endpoint, client certificate of the caller`,
  'webhooks.md#Decide by hand': `
    decide by hand, approve manually, ask me for each call, answer manually, interactive decisions`,
  'webhooks.md#Decide with a command': `
    script decides, python handler, bash handler, exec, any language, own program, decide in python,
    run a script for each call, use my own program, ruby, php, stdin json`,
  'webhooks.md#Forward calls to your endpoint': `
    forward, proxy to my server, pass calls on, proxy calls, forward to localhost, record while forwarding`,
  'webhooks.md#Late and unreadable calls': `
    too slow, deadline, timeout, late, error of the endpoint, endpoint down, endpoint answers 500,
    no answer, stand-in, fallback, bad json, late answer, answer late, webhook late, endpoint late,
    deadline endpoint, answer within seconds, answer deadline, endpoint is slow, endpoint crashed,
    500 from my server, answer too late, malformed json, max answer time, time limit of the answer,
    what if my server is down`,
  'webhooks.md#Output for programs': 'events as json, machine readable events',
  'webhooks.md#Repeated ids': `
    same id twice, duplicate call, repeated call, retry of a call, idempotent endpoint, idempotent webhook,
    deduplicate calls, same event twice, retries of the service, duplicates`,
  'webhooks.md#Signatures': `
    signature, hmac, verify, shared secret, header of a call, is the call genuine,
    sign the authorisation call, check a signature, webhook signature, check signature webhook call,
    signing secret, verify that a call is genuine, signature does not match, invalid signature,
    timestamp tolerance, replay attack`,
  'webhooks.md#Stop it': 'shut down, graceful stop',
  'when-things-go-wrong.md': `
    error, exit code, what now, problem, broken, does not work, error message, port in use, failed,
    troubleshooting, which exit code, what happens on timeout, too many requests, nothing works,
    exit code mean, something went wrong, exit status, exit 1, exit 2, exit 3, exit 4, exit 5, exit 6,
    exit 7, exit 8, exit 9, exit 12, exit 13, exit 14, exit 17, address already in use, EADDRINUSE,
    connection refused, ECONNREFUSED, forbidden, 401, 403, 404, what does this error mean, it failed, help,
    cannot connect, command fails, retry or not, port already in use, certificate error, permission denied,
    another cardctl is running, locked, lock file, database is locked`,
  'when-things-go-wrong.md#Exit 10: the effect is unknown': `
    effect unknown, timeout, lost connection, exit 10`,
  'when-things-go-wrong.md#Nothing works, or something was changed by mistake': `
    changed something by mistake, damaged file, report a bug`,
  'when-things-go-wrong.md#Why a bulk run ended': 'bulk run ended, run aborted, why did it stop',
}
