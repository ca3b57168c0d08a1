export const ASKED_OF_JOB_COMMANDS: Readonly<Record<string, string>> = {
  'bulk cancel': `
    cancel job, stop job, abort bulk run, never send rest, give up job, stop rest, drop remaining rows,
    abort job, discard rest, stop good, forget job, don't continue job, give up remaining rows,
    don't send remaining rows, abandon run`,
  'bulk export': `
    move job another machine, take job elsewhere, job file, move job, job other computer, hand over job,
    transfer job, migrate job, take unfinished job another server,
    old server is switched off in the middle of a job`,
  'bulk import': `
    take over job another machine, continue job here, job file, take over job, load job, receive job,
    continue elsewhere, continue job begun another computer`,
  'bulk list': `
    list jobs, jobs, old jobs, all jobs, overview jobs, recent jobs, jobs ran, find job id, past jobs, job ids,
    unfinished jobs, recent runs, jobs today, list jobs were not finished`,
  'bulk plan': `
    preview bulk run, change, dry run file, look before mass update, see before run, job change before run,
    preview job, check file before sending, diff before applying, see changes first, preview file, plan rows,
    simulate run, simulate file, file change, dry run csv, compare spreadsheet, before after,
    review spreadsheet, effects file, csv change, preview spreadsheet changes, compare old new values,
    test csv first, see spreadsheet change, compare file now, review mass change, diff before mass update`,
  'bulk prune': 'remove jobs, old jobs, delete job data, clean jobs, free space, free space finished jobs',
  'bulk resolve': `
    unknown row shared job, uncertain row, unknown row, decide row, row checked hand, mark row, row had effect,
    say whether row arrived`,
  'bulk results': `
    results rows, rows failed, responses rows, errors job, export failures, went wrong job, output each row,
    responses csv, list errors, download results, rows were refused, row errors, output per row, failures csv,
    rows not sent, row row, list failed lines, results per account, rows did not work, result each line,
    response service every row, did some lines fail`,
  'bulk resume': `
    continue job, carry, resume, go after stop, finish rest, job interrupted, stopped halfway, resume bulk,
    resume job, resume run, carry bulk, continue bulk, bulk run stopped carry, killed job, continue stopped,
    continue after error, restart job, go job, after crash, run rest, pick up left off, pick up again,
    crashed job, power failure job, laptop closed, lost connection job, rest file, remaining rows, finish job,
    failed rows again, after reboot, half done, half finished, retry rows, after fixing, start job again,
    start again after crash, half rows sent, power went out during job, retry errors only,
    machine rebooted during run, run stopped now, finish interrupted run, resume last, laptop died during run,
    pick up interrupted job, connection lost halfway through file, send only rows failed,
    restart job without sending twice, run killed`,
  'bulk run': `
    rows, limits excel, limits spreadsheet, run file, same operation, mass update, stop after errors, update accounts, loop over file,
    thousands requests, stdin bulk, xargs, parallel requests, update csv, each row, send requests,
    process list, mass change, batch changes, file ids, limits file, import csv, once, csv rows, one one file,
    spreadsheet changes, hundreds accounts, thousands cards, list ids, each line, update excel, import file,
    process file, fee waiver list, change all, campaign, migrate accounts, while read loop, parallel curl,
    change hundreds cards, same change list, csv changes, file accounts, raise limit, block accounts,
    close accounts, update spreadsheet, one command rows, read cards, ids one command another, pipe ids,
    feed ids command, every id, mass block, process excel rows, same change thousand accounts,
    read csv change each account, apply changes excel, loop over list ids, fetch cards list ids,
    one request per line file, update all accounts list`,
  'bulk status': `
    progress job, far job, percent done, rows done, state job, job finished, job running, left, rows,
    rows left, job percent, still running, eta job, job done, rows finished, far run, progress mass run,
    numbers job`,
  'bulk watch': `
    follow job, watch bulk run, wait job, live progress, tail job, attach job, follow job another window`,
  'bulk work': `
    work shared job, several workers, second machine same job, help job, more workers, second machine,
    join job, extra worker, worker process, add machine, worker pod, help another machine job, add worker,
    second server takes part job, scale job over pods`,
}
