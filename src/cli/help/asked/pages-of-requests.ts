export const ASKED_OF_PAGES_OF_REQUESTS: Readonly<Record<string, string>> = {
  'idempotency.md': `
    sent twice, duplicate, retry, same request again, safe repeat, crash while sending, killed between, lost
    power, avoid double transfers, paid twice, exactly once, most once, double booking, safe retry, no
    duplicates, timeout while sending, crashes, no double sending, sent already, resend safely, prevent second
    payment, crash safety, network drops while sending, connection reset during write, repeat after failure,
    happens power goes, guarantee, twice, double, power cut, repeat safely, paid double, network failure, same
    command twice, run again safely, repeat dangerous, crash then repeat, make sure nothing paid twice,
    happens after crash, same request twice, power cut while sending, duplicates prevented, double payment,
    same key, retry without double, network drop retry, booked twice, prevent double booking, clicked twice,
    job run twice, did job run twice, job ran twice, ran twice, run twice, same transfer, same transfer twice`,
  'idempotency.md#The journal': `
    journal, logged, unfinished mean, unknown mean, status request, requests recorded, write ahead log,
    requests one account, local record, request states, unfinished, request log, list states,
    unfinished request`,
  'idempotency.md#One journal per service': `
    service new url, base url changed, moved service, OTHER_SERVICE, STORE_DAMAGED, journal missing,
    two profiles one service, tenant service, other base url, tenant journal, journal damaged,
    history belongs another service`,
  'idempotency.md#Keys': `
    idempotency key, retry, automatic retry, retry after error, 503, 429, 502, 504, automatic repeat,
    retry policy, often retry, backoff, retry after 503, x-idempotency-key, Idempotency-Key header,
    same key twice, KEY_REUSED, KEY_NOT_HONOURED, ANSWER_REPLAYED, nothing changed now, key valid 24 hours,
    retry timeout, exponential backoff, service not support keys, often tried again, key header, key reused,
    replayed, key lifetime, own key, not changed now, header idempotency, same key again, key, retry itself,
    often try, header duplicates, key used before, retry after outage, long key valid`,
  'idempotency.md#What proves that nothing happened': `
    status means no effect, 403 html page, 503 retry-after, gateway timeout, redirect after write,
    202 accepted, write done, 503, 502, 504, 408, redirect, bad gateway, status proves, error 200, html answer,
    cloudflare, load balancer error, got 502 sent, html page after write, proxy error after payment,
    gateway error after payment, 503 502 executed, http status meaning money, write certain`,
  'idempotency.md#Accepted requests': `
    202 location, asynchronous operation, poll until completed, service works background, accepted timeout,
    202, asynchronous, async, location header, poll status, 202 accepted, asynchronous api`,
  'idempotency.md#How long it is kept': `
    long journal kept, retention, long sent transfers remembered, long remember, old requests removed,
    clean up journal, CARDCTL_KEEP, journal grows, shrink file, history older 90 days, 90 days, keep longer,
    delete old, journal size, long history kept, delete after 30 days, long requests stored, keep data year`,
  'idempotency.md#A clock that may be wrong': `
    clock wrong, date machine changed, time jumped, clock right, ntp, wrong date, clock skew,
    system time wrong`,
  'idempotency.md#Exit 10: find out what happened': `
    unknown effect, did happen, money sent, cannot tell yet, found effect, record found, look up ledger,
    reference batch, resolve request, resolve, find out, uncertain, ledger, transfer done, check ledger,
    executed not, unclear whether money sent, outcome unknown`,
  'idempotency.md#Transfers': `
    transfer twice, paid twice, transfer interrupted, killed during transfer, same payment again, transfer
    sent twice accident, resend failed transfers, ALREADY_SENT, duplicate rows, same rows twice, several
    batches, split big file, batch size, rest file, confirm count, confirm total, failed transfers again, same
    transfer twice purpose, cancel transfer, recall transfer, transfer undo, two people send same file,
    duplicate transfer, same file, paid again, resend file, recall, cancel payment, stop payment, wrong
    recipient, wrong payee, money back, chargeback transfer, only new, wrong account paid, return money,
    payment error correction, sent stranger, rows repeated, refund wrong transfer, sent wrong account,
    transfer wrong account back, same transfers again, duplicate payment file, paid wrong person, money wrong
    customer, file some paid rows, reverse transfer, paid same invoice again, file sent already, get money
    back wrong recipient, recall money, transfer wrong person, only pay new rows, large payment file, money
    sent mistake, payout file died, cron died payout, start payout again, salary file twice, pay file again,
    payments sent half, resend payout, same payments again safe, timeout after sending payment, was payment
    sent or not, payment timeout rerun, rerun payment safely, payment maybe sent, no answer to payment`,
  'when-things-go-wrong.md': `
    error, exit code, now, problem, broken, not work, error message, port, failed, troubleshooting, happens
    timeout, too many requests, nothing works, something went wrong, exit status, exit 1, exit 2, exit 3, exit
    4, exit 5, exit 6, exit 7, exit 8, exit 9, exit 12, exit 13, exit 14, exit 17, address already,
    EADDRINUSE, connection refused, ECONNREFUSED, forbidden, 401, 403, 404, error mean, help, cannot connect,
    command fails, retry not, port already, certificate error, permission denied, another cardctl running,
    locked, lock file, database locked, problem solving, error explained, help error, list errors, diagnosis,
    command ended error, strange error, got error, return codes, error numbers, unauthorised, not found,
    refused, service down, timed out, certificate not trusted, wrong credentials, exit, 429, 500, 503,
    certificate, dns, network down, disk full, crash, stack trace, service not reachable, error 401, error
    403, certificate problem, permission error, after error, network timeout, dns error, unexpected error,
    failed now, error message don't understand, something broke, command ended number, network error, 401
    unauthorised, 403 forbidden, what does exit mean, did it happen or not, error what now, is money gone,
    request lost, timeout what happened, no answer from service, connection reset, unknown outcome, safe to
    repeat, try again safe`,
  'when-things-go-wrong.md#Exit 10: the effect is unknown': `
    effect unknown, timeout, lost connection, exit 10, EFFECT_UNKNOWN, response got lost,
    connection closed before answer, not know worked, sent not, repeat, transfer carried out, unknown,
    money moved, repeat not, no response, executed, double payment fear, went through, half sent,
    lost connection while paying, timeout after sending, did payment happen, payment without answer,
    unknown whether paid, sent no answer, connection broke during payment, send again, payment timed out,
    connection lost in the middle of a transfer, money sent, afraid double payment, no response after sending`,
  'when-things-go-wrong.md#Why a bulk run ended': `
    run aborted, did stop, every row failed, job ended exit 13, DISK_FULL, RATE_LIMITED, TLS_FAILED,
    CONNECTION_FAILED, SERVICE_FAULT, proxy refuses, dns error, host not found, getaddrinfo, html login page,
    redirect, run ended, job stopped, job failed, job aborted, run cause, all rows failed, exit 13, exit 11,
    job stuck, stopped early, run failed, job ended early, all rows refused, mass run failed halfway,
    job exit code, disk full`,
  'when-things-go-wrong.md#Nothing works, or something was changed by mistake': `
    changed something mistake, damaged file, report bug, ask help, contact, undo mistake, completely stuck,
    nothing works, support cardctl, github issue, changed wrong thing, send developers`,
}
