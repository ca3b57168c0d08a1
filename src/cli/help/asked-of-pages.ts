/** What people say whom a page helps, or the part of it below a heading (`#`), in words that it doesn't have itself. With commas between. */
export const ASKED_OF_PAGES: Readonly<Record<string, string>> = {
  'agents.md': `
    AI, LLM, coding assistant, agent, MCP, chatbot, safe for an AI, assistant, model context protocol,
    ai agent, coding agent, claude, cursor`,
  'bulk.md': `
    many rows, mass change, csv of accounts, spreadsheet of changes, hundreds of accounts, batch job,
    same change, change many, change excel, change spreadsheet, change card excel, same change card,
    many cards, speed of a run, list of accounts, spreadsheet, many accounts at once, csv file, excel,
    rate limit of a run`,
  'bulk.md#Jobs of a pipeline': 'job key, run twice, same file twice, pipeline started again',
  'bulk.md#Order of rows': 'order, in parallel, one after the other, concurrency',
  'bulk.md#Rate': `
    requests per second, rate limit, slower, throttle, too fast, limit a second,
    speed of a run, 5 requests per second, at most some requests per second, maximum requests per second`,
  'bulk.md#Row states': 'states of rows, open row, failed row',
  'bulk.md#Rows': 'columns of the file, fields for rows, file format for bulk, which columns',
  'bulk.md#When a run stops early': `
    run stopped, stop at the first error, abort after failures, too many failures,
    token expired while running`,
  'dialects.md': `
    other service, other field names, other paths, map fields, adapt commands to my api, another service,
    minor units`,
  'first-day.md': `
    connect my own service, real service, real credentials, get started with our bank, production access,
    go live, my own service, use it with my bank, connect to production, sandbox to production,
    switch to production, production`,
  'first-webhook.md': `
    minimal endpoint, smallest endpoint, first webhook, hello world endpoint, example server,
    write an endpoint, endpoint in node, endpoint in python, tutorial for the webhook,
    getting started with the webhook`,
  'first-webhook.md#The life of a hold': `
    hold, release of a hold, reservation, clearing, reversal, when is money released, expired hold`,
  'fleet.md': `
    several machines, kubernetes pods, workers, shared rate, distributed, cluster, replicas,
    rate limit of several machines, more than one machine`,
  'four-eyes.md': `
    second person, approval, dual control, maker checker, two people, needs approval, who may approve,
    two people must approve, approval rights, approve own request, waiting for approval,
    why does my change wait, second pair of eyes`,
  'gate.md': 'server of another user, credentials that colleagues never see, jump host, service account',
  'idempotency.md': `
    sent twice, duplicate, retry, same request again, safe to repeat, crash while sending,
    killed in between, lost power, avoid double transfers, paid twice, is it safe to repeat`,
  'idempotency.md#How long it is kept': 'how long is the journal kept, retention',
  'idempotency.md#Keys': `
    idempotency key, does it retry, automatic retry, retries, retry after an error, 503, 429, 502, 504,
    automatic repeat`,
  'idempotency.md#The journal': 'journal, what is logged, local log of requests',
  'idempotency.md#Transfers': `
    transfer twice, paid twice, transfer interrupted, killed during a transfer, same payment again`,
  'imported-contracts.md': `
    openapi, swagger, own commands, commands for our api, import a spec, openapi bank, own openapi,
    openapi file`,
  'imported-contracts.md#Lists': 'pagination of an imported list, next page, cursor',
  'imported-contracts.md#Secrets, ids and personal data': `
    mask fields of an imported contract, personal data in an imported contract`,
  'installation.md': `
    install, setup, download, apt, npm, windows, mac, which node version, without node, offline install,
    docker image, container, uninstall, update, new version, remove cardctl, debian, command not found,
    not recognised command, newest version, latest version, which node, docker, container image,
    pin a version, which version`,
  'installation.md#Check what you got': 'checksum, verify a download, signature of a package, provenance',
  'installation.md#Uninstall': 'uninstall, remove the program, get rid of it',
  'installation.md#Upgrade': 'upgrade, update, old data after an upgrade, newer version, downgrade',
  'installation.md#macOS and Windows': 'windows, macos, powershell, homebrew',
  'nightly-job.md': `
    cron, schedule, every night, CI, github actions, gitlab, jenkins, systemd, kubernetes job, unattended,
    without a terminal, alert on failure, ran twice, job in the night, crontab, systemd timer, kubernetes,
    ci pipeline, logrotate, SIGPIPE, jobkey, prometheus, without keyring, no keyring, script hangs,
    waits for input, pin the version, which version in CI`,
  'nightly-job.md#Ready files': `
    systemd unit, docker, kubernetes manifest, github workflow, logrotate, prometheus metrics`,
  'nightly-job.md#Rows that fail': 'some rows failed, failed rows next day, exit 11',
  'output.md': `
    json, csv, yaml, jq, format, columns, only some fields, only ids, one field, header line, table,
    machine readable, parse the output, pipe to another program, sort, filter, columns csv, filter list,
    as yaml, as csv, sort list, hide header, print json`,
  'output.md#Amounts and times': 'time zone, dates, rounding, amounts, cents, currency',
  'output.md#Colour, pager, progress': 'colours, no colour, pager, less, progress bar, spinner, quiet',
  'output.md#Errors': 'error as json, error format, stderr, parse errors',
  'output.md#Length of lists': `
    all pages, more results, pagination, only 30 results, limit of a list, next page, truncated list`,
  'output.md#Logs for programs': 'json logs, trace id, opentelemetry, log lines',
  'output.md#Numbers that people type': 'decimal comma, comma or point, thousands separator, 1.234, 56',
  'output.md#Responses that differ from the contract': `
    unknown field, response differs, strict, warning about a response`,
  'output.md#Signals and closed terminals': 'ctrl-c, SIGTERM, SIGPIPE, closed pipe, head',
  'output.md#Spreadsheets of other people': 'excel, semicolon, umlauts, encoding, xlsx, other column names',
  'output.md#Watching a read': 'watch, repeat every few seconds, wait until a value changes, poll',
  'pin-device.md': `
    PIN in an app, PIN on the phone, encrypted PIN, PIN block from a device, control id,
    set a pin on the phone of the cardholder, never see the pin`,
  'policy.md': `
    limit what colleagues may do, forbid commands, maximum amount, who may send what, restrict staff,
    permissions of colleagues, stop transfer amount, forbid transfer, forbid transfer amount,
    limit what colleagues do, who may do what, forbid a command, allow a command, largest amount`,
  'profiles.md': `
    profile, environments, test and production, several services, credentials, settings, timeout, proxy,
    base url, read-only, read-only access, support staff read-only, read-only colleague,
    certificate authority, self-signed, certificate chain, verify certificate, client certificate, log in,
    login, switch profile, connect to my service`,
  'profiles.md#Ceilings': 'largest amount, ceiling, maximum of a transfer',
  'profiles.md#Environment variables': `
    environment variables, proxy, https_proxy, CARDCTL_PROFILE, variables, proxy firewall, company proxy,
    corporate proxy, which variables`,
  'profiles.md#Files': `
    profiles.json, config file, timeout setting, rate setting, quota, timeout, time limit of requests,
    seconds to wait`,
  'profiles.md#How your service talks': `
    oauth, client credentials, basic auth, bearer, mTLS, api key header, login at the service, token url`,
  'profiles.md#Kinds': 'live, test, sandbox, kind of a profile, read-only',
  'profiles.md#Loosening a live profile': 'loosen a profile, remove a protection, change kind live',
  'profiles.md#Secrets': `
    password, secret, keyring, vault, password manager, secret from a command, secret from a file,
    token from the environment, store credentials, save password service, save password, store password,
    where password, put token, where token, set token`,
  'profiles.md#What is asked before a request leaves': `
    why does it ask, type the host name, confirmation, are you sure, yes flag, ask before live`,
  'profiles.md#Which value wins': 'flag or variable, precedence, order of settings',
  'sandbox.md': `
    fake service, mock, test server, unit tests, test without a service, local service, simulate,
    simulate an outage, simulate errors, test data, demo cards`,
  'sandbox.md#A sandbox for each test, in any language': `
    tests in python, tests in java, tests in go, parallel tests`,
  'sandbox.md#Authorisations': 'purchases in the sandbox, holds, decline reasons, insufficient funds',
  'sandbox.md#Control operations': `
    time in the sandbox, fake clock, control api, fake time, sandbox time, set the time,
    fake time sandbox test`,
  'sandbox.md#Demo data': 'test cards, demo cards, which card numbers, test accounts',
  'sandbox.md#In your own tests': 'mock in tests, jest, vitest, unit test, sandbox in code, in-process',
  'sandbox.md#Outages to rehearse': 'outage, error status, timeouts, 500, 429, slow service',
  'sandbox.md#Snapshots': 'snapshot, fixtures, save and restore state, keep state between runs',
  'security.md': `
    security, is it safe, secrets, encryption, telemetry, threat model, security review, protect data,
    new laptop, new computer, move laptop, copy journal, tampered log, log tampered, splunk, siem, syslog,
    personal data, gdpr, delete all data, another machine, backup, where are passwords kept,
    card numbers in logs, keyring, phone home, send data anywhere, does it call the internet,
    usage statistics, tracking`,
  'security.md#Back up, restore, move': 'backup, new laptop, move to another computer, restore',
  "security.md#Erase a person's data": 'gdpr, erase, right to be forgotten, personal data',
  'security.md#How secrets come out': `
    masked card number, reveal, show the whole number, mask, hidden digits`,
  'security.md#How secrets go in': `
    type a secret, PIN on the command line, card number as argument, shell history`,
  'security.md#PCI DSS 4.0.1': 'PCI, compliance, auditor, requirements',
  'security.md#Report a problem': 'report a vulnerability, found a security problem',
  'security.md#The audit trail for a collector of logs': 'splunk, siem, syslog, log collector, elastic',
  'security.md#What stays on disk': `
    files on disk, what is stored, encrypted on disk, is the journal encrypted, plain text, where is data,
    where is my data stored, which files does it keep, keep files`,
  'security.md#What the audit trail proves': 'tamper, proof, integrity, forged entries',
  'support.md': `
    support staff, call centre, caller, customer on the phone, daily work, how to begin, screen reader,
    menu, be asked`,
  'support.md#Be asked for values': `
    menu, ask me for values, guided, interactive, do not know the command, wizard, step by step`,
  'support.md#Find': 'find, search, which number is this',
  'support.md#Notes, tickets, times': 'ticket number, note, reason',
  'support.md#Reports': 'report, hand over, pdf, html',
  'support.md#Screen readers': 'screen reader, blind, accessibility, braille, plain lines',
  'support.md#Undo': 'undo, take back',
  'team-sandbox.md': `
    shared sandbox, sandbox for the team, postgres, several people, tenants, own data for each team,
    password rotation, postgresql, several people share a sandbox, tenant`,
  'team-sandbox.md#Back up, restore, fail over': 'failover, backup of the database, standby',
  'team-sandbox.md#Run it': 'systemd, nginx, TLS, load balancer, health check, deploy',
  'team-sandbox.md#Tenants': 'tenant, token of a team, separate data',
  'team-sandbox.md#Traces': 'opentelemetry, tracing, metrics',
  'typescript.md': 'typescript, javascript, library, import in code, npm package, sdk, types',
  'typescript.md#Card cryptography': 'cryptogram, ARQC, PVV, cryptography, compute a CVV, check a CVV',
  'typescript.md#Keys, RSA and JWE': 'decrypt, JWE, RSA, encrypted card number, key pair',
  'typescript.md#PIN blocks': 'PIN block, ISO 9564, iso format, encrypt a PIN in code',
  'typescript.md#Signatures': 'verify a signature in code, hmac in node',
  'typescript.md#Test your endpoint': 'test an endpoint in vitest, unit test of a handler',
  'webhook-recording.md': `
    recorded calls, inspector, look at calls, see requests in a browser, export calls, what is recorded,
    how long recordings kept, recordings kept, delete recordings, record calls, replay calls`,
  'webhook-recording.md#Replay': 'replay, compare old and new answers, regression',
  'webhook-recording.md#Search': 'search calls, filter calls, query',
  'webhook-recording.md#What is recorded': `
    card numbers in recordings, masked recordings, personal data in recordings,
    how long are recordings kept, retention of recordings`,
  'webhook-recording.md#Who can open it': 'access to the inspector, share the inspector, link expired',
  'webhook-rules.md': `
    rules, yaml rules, decide without code, decline over an amount, by merchant, by country, by time,
    allow list, block list, velocity, count per day, approve amount, approve merchant, decline casino,
    decline shop, approve automatically, authorise automatically, approve by rule, gambling, casino,
    decline a kind of shop, block merchants, decline gambling`,
  'webhook-rules.md#Answers': 'partial approval, approve less, response code of a rule, delay an answer',
  'webhook-rules.md#Conditions': `
    condition, amount above, currency, merchant category code, mcc, time of day, country, decline amount,
    decline payment amount, decline by amount, decline merchant, decline by merchant category`,
  'webhook-tests.md': `
    test my endpoint, suite, certify, CI for my endpoint, load, expectations, duplicates, order of calls,
    certificate for my endpoint, is my endpoint right, check endpoint, load test`,
  'webhook-tests.md#Certify an endpoint': 'certificate, go live, must do, conformance',
  'webhook-tests.md#Load tests': 'load test, performance, calls per second, latency, throughput, p99',
  'webhook-tests.md#Reports': 'junit, html report, report for CI, test results file',
  'webhook-tests.md#Suites': 'write a suite, yaml suite, scenario, steps',
  'webhooks.md': `
    authorisation call, webhook, endpoint, answer, authorisation request, receive calls,
    forward calls endpoint, password of the endpoint, answer authorisation call, webhook retry,
    webhook duplicate, same call twice, duplicate call, endpoint url`,
  'webhooks.md#Access from other machines': `
    localhost from outside, tunnel, ngrok, reach my laptop, TLS for the webhook, listen on all interfaces,
    calls from the test system`,
  'webhooks.md#Calls that differ from the contract': 'unknown field in a call, invalid call, schema of calls',
  'webhooks.md#Credentials': `
    password of the endpoint, bearer token of calls, basic auth for the webhook, mTLS of the endpoint,
    rotate the secret of the webhook, webhook secret rotated, new secret of the endpoint, password of calls`,
  'webhooks.md#Decide by hand': 'decide by hand, approve manually, ask me for each call',
  'webhooks.md#Decide with a command': `
    script decides, python handler, bash handler, exec, any language, own program`,
  'webhooks.md#Forward calls to your endpoint': 'forward, proxy to my server, pass calls on',
  'webhooks.md#Late and unreadable calls': `
    too slow, deadline, timeout, late, error of the endpoint, endpoint down, endpoint answers 500,
    no answer, stand-in, fallback, bad json, late answer, answer late, webhook late, endpoint late,
    deadline endpoint, answer within seconds, answer deadline`,
  'webhooks.md#Repeated ids': `
    same id twice, duplicate call, repeated call, retry of a call, idempotent endpoint`,
  'webhooks.md#Signatures': `
    signature, hmac, verify, shared secret, header of a call, is the call genuine,
    sign the authorisation call, check a signature, webhook signature, check signature webhook call`,
  'when-things-go-wrong.md': `
    error, exit code, what now, problem, broken, does not work, error message, port in use, failed,
    troubleshooting, which exit code, what happens on timeout, too many requests, nothing works,
    exit code mean, something went wrong, exit status, exit 1, exit 2, exit 3, exit 4, exit 5, exit 6,
    exit 7, exit 8, exit 9, exit 12, exit 13, exit 14, exit 17, address already in use, EADDRINUSE,
    connection refused, ECONNREFUSED, forbidden, 401, 403, 404`,
  'when-things-go-wrong.md#Exit 10: the effect is unknown': `
    effect unknown, timeout, lost connection, exit 10`,
  'when-things-go-wrong.md#Why a bulk run ended': 'bulk run ended, run aborted, why did it stop',
}
