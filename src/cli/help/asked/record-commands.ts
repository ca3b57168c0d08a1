export const ASKED_OF_RECORD_COMMANDS: Readonly<Record<string, string>> = {
  apply: `
    send a plan, apply a plan, execute a plan, run a plan, send the planned changes, carry out a plan,
    execute exactly`,
  'audit anchor': `
    anchor, proof of the audit trail, notarise, keep a hash elsewhere, prove the state of the trail,
    timestamp of the log, store a digest elsewhere, daily anchor`,
  'audit begin': `
    new audit trail, start the audit trail again, broken audit trail, restart the trail, trail is broken,
    new chain`,
  'audit export': `
    export audit, audit to a log collector, SIEM, syslog, stream the audit trail, forward to splunk,
    send entries to a collector, rfc5424`,
  'audit key': `
    key of the audit trail, move audit key, seal key, sign audit trail, export the key of the trail,
    where is the audit key, keyring for the audit key`,
  'audit list': `
    who did what, audit log, who saw a PIN, who revealed a number, actions of a user, disclosures,
    who showed pin, who saw pin, who looked, who viewed, showed pin, revealed, who revealed,
    who revealed a card number, who logged in, what did the agent do, entries of yesterday,
    who revealed a card, who did it, actions by user, log of disclosures, entries of the audit trail,
    what did an agent do, who viewed a PIN, refused actions, security log, who approved`,
  'audit prune': `
    old audit entries, shrink the audit trail, remove old audit entries, trail too big, archive the trail,
    retention of the audit trail`,
  'audit verify': `
    log tampered, check audit trail, chain broken, integrity of the log, tampered, audit tampered,
    prove audit unchanged, has somebody changed the log, is the log complete, was the log manipulated,
    is the trail intact, validate the chain, tamper check, integrity check, detect changes of the log`,
  'bulk cancel': `
    cancel a job, stop a job, abort a bulk run, never send the rest, stop a running job for good,
    give up a job, stop the rest, abort a job for good, drop the remaining rows`,
  'bulk export': 'move a job to another machine, take a job elsewhere, job to a file',
  'bulk import': 'take over a job from another machine, continue a job here, job from a file',
  'bulk list': `
    list jobs, my jobs, old jobs, all jobs, overview of jobs, recent jobs, which jobs ran, find a job id`,
  'bulk plan': `
    preview of a bulk run, what would change, dry run for a file, look before a mass update, see before run,
    job change before run, preview of a job, check a file before sending, diff before applying,
    dry run of a file, see changes first, preview of a file, plan rows, simulate a run`,
  'bulk prune': 'delete old jobs, clean up old jobs, remove finished jobs',
  'bulk resolve': `
    row of a shared job with unknown effect, decide an unknown row, unknown row of a shared job`,
  'bulk results': `
    results of rows, which rows failed, failed rows to a file, responses of rows, failed rows, rows failed,
    export failed rows, list failed rows, errors of a job, export failures, what went wrong in a job,
    output of each row, error per row, responses as csv, list of errors, download results,
    rows that were refused`,
  'bulk resume': `
    continue a job, carry on, resume, go on after a stop, finish the rest, job was interrupted,
    stopped halfway, resume bulk, resume job, resume run, carry on bulk, continue bulk, continue job,
    bulk stopped halfway, run stopped halfway, job interrupted resume, bulk run stopped carry on,
    resume an interrupted job, power failure during a job, killed job, continue where it stopped,
    continue after an error, restart a job, retry failed rows, go on with a job, after a crash,
    run the rest, pick up where it left off`,
  'bulk run': `
    many rows, run a file, same operation for many, mass update, rows of a csv file,
    change hundreds of accounts, stop after errors, update many accounts, loop over a file,
    thousands of requests, stdin to bulk, xargs, parallel requests, for each line of a file,
    update from csv, for each row, send many requests, process a list, mass change, batch of changes,
    file of ids, limits from a file, import a csv`,
  'bulk status': `
    progress of a job, how far is the job, is my job still running, percent done, how many rows are done,
    state of a job, job finished, job running, what is left`,
  'bulk watch': 'follow a job, watch a bulk run, live progress of a job, wait for a job',
  'bulk work': `
    work on a shared job, several workers, second machine on the same job, join a shared job,
    help with a job, more workers, second machine`,
  history: `
    who changed a card, who changed an account, what happened to a card, what was done with an account,
    what did a colleague do, changes of a customer, past changes, history of a customer, log of a card,
    who looked card, looked card number, looked card, who saw card, what did a colleague do with an account,
    what did somebody do with a card, who touched a card, who did this, timeline of a card,
    audit of one account, who blocked this account, when was the limit changed,
    what happened with this customer, old limit before a change, what was the limit before,
    changes of an account, previous changes, timeline of a customer, who changed the limit,
    log for one card, everything about a card, past actions, activity on an account, what was done before,
    trail for a customer, previous values`,
  'mappings list': `
    column mappings, saved mapping of a spreadsheet, show saved mappings, column mapping by name`,
  'mappings remove': 'delete a saved mapping',
  'plan show': `
    look into a plan, content of a plan, what does the plan change, read a plan, review a plan,
    plan as markdown, what is in the plan file`,
  'report batch': `
    report of a batch, receipt of transfers, proof of payments, confirmation for an auditor,
    evidence of a batch, page about a batch for the customer, proof of a payment, batch receipt,
    who sent the batch, evidence of transfers, audit report of a batch`,
  'report shift': `
    report of my day, what did I do today, list of my work, hand over to a colleague, end of day,
    summary for my manager, print what I did, daily report, today, did today, done today,
    what happened today, my day, yesterday, end of shift, statistics of the day, what is still open,
    summary of the week, what did we do, summary of today, end of day report, hand over,
    activity of one user, report as html, what was done this week`,
  'requests approve': `
    approve a request, confirm what a colleague asks, approval of a change, give approval, approve proposal,
    approve proposal colleague, waiting for approval, my change waits, give my ok, confirm a proposal,
    release a change, second approval, sign off a change, send a colleague's proposal`,
  'requests list': `
    sent requests, my last requests, open requests, list what was sent, failed requests,
    outcome unknown list, what did I send, see earlier commands, my requests of today,
    requests with a ticket, which requests failed, history of requests, what was sent, sent commands,
    search requests by ticket, log of requests, journal`,
  'requests pace': `
    pause asked by the service, current rate, too many requests 429, why does it wait, 429,
    server answers 429, rate limited, throttled, current pause, rate of requests, throttling,
    slow because of a limit, remove the pause, quota left`,
  'requests proposals': `
    what waits for approval, pending approvals, proposals of colleagues, change waits for someone,
    what is waiting, waiting proposals, approval queue, who has to approve, list of proposals, inbox`,
  'requests prune': `
    delete old requests, shrink the journal, clean the journal, remove old requests, journal too big`,
  'requests rebind': `
    service has moved, new base url for old requests, host changed, base url has changed,
    move the journal to a new host, service renamed`,
  'requests reject': `
    reject a proposal, withdraw a proposal, decline a proposal, refuse a proposal, say no to a proposal,
    withdraw my proposal`,
  'requests resolve': `
    did it arrive, unknown outcome, exit 10 what now, was it sent or not, connection lost while sending,
    did the change happen, effect unknown, transfer go through, went through,
    do not know whether it went through, network went away while saving, it hung and I pressed ctrl-c,
    was the request carried out, did it work, what happened to my request, unknown result,
    timed out while sending, was it booked, check a request, transfer sent or not, effect of a request,
    mark as done`,
  'requests retry': 'send again, repeat a request, retry a failed request, send once more, try again, resend',
  'requests show': `
    what exactly was sent, body of a request, details of a request, response of an earlier request,
    show the body that was sent, what did I change exactly, which fields were sent, request by id`,
  'requests sign': `
    sign a proposal, approve from another machine, sign an approval, approve by file,
    approval without an account`,
  'requests undo': `
    undo, take back a change, wrong change, changed by mistake, I made a mistake, revert, wrong limit set,
    back to the old value, cancel a change, cancel what I did, what I just did, take it back,
    it was the wrong one, undo the last change, I typed a wrong amount, go back, restore the old limit,
    reverse my change, revert a change, take back, mistake, wrong value, restore the former value,
    reverse the last command, oops, roll back, I changed the wrong account`,
}
