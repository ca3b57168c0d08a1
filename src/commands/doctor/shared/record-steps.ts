import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {JobStore, type Jobs} from '../../../bulk/index.ts'
import {trailFile} from '../../../cli/audit-trail.ts'
import type {Context} from '../../../cli/context.ts'
import {pauseNow} from '../../../cli/pace.ts'
import {doubtful, type Finding, fine, type Step} from '../../../doctor/index.ts'
import {advice} from '../../../errors/advice.ts'
import {type Journal, localKeyFile, openJournal, processSurroundings} from '../../../journal/index.ts'
import {journalFile, keyFile} from '../../../journal/journal-file.ts'
import {noteOf} from '../../../journal/local-key.ts'
import {maskReasons, reasonLines} from '../../../output/reasons.ts'
import {countRows} from '../../../profiles/index.ts'
import {maskText} from '../../../sensitive/mask-text.ts'
import {caveats, trailFailure} from '../../audit/shared/check-trail.ts'
import {openSharedJobs} from '../../bulk/shared/shared-jobs.ts'
import {type BulkSummary, countsOf, summaryOf, toNext} from '../../bulk/shared/summary.ts'
import {isShared} from '../../bulk/shared/with-jobs.ts'

/**
 * Checks of this machine's records of earlier requests: whether they are intact, and which effects are still unknown.
 */
export function recordSteps(context: Context): readonly Step[] {
  return [
    {
      id: 'journal',
      area: 'records',
      title: 'Journal',
      needs: ['folder.data', 'profile'],
      look: () => journal(context),
    },
    {
      id: 'bulk',
      area: 'records',
      title: 'Bulk jobs',
      needs: ['journal'],
      look: () => bulkJobs(context),
    },
    {
      id: 'pause',
      area: 'records',
      title: 'Pause',
      needs: ['journal'],
      look: () => pause(context),
    },
    {
      id: 'audit',
      area: 'records',
      title: 'Audit trail',
      needs: ['folder.data'],
      look: () => audit(context),
    },
  ]
}

/** The journal as it is, with its file; without a journal none is made. */
async function openedJournal(context: Context): Promise<{file: string; opened: Journal | undefined}> {
  const {folders, surroundings} = context
  const {name} = await context.service.chosen()
  const service = await context.service.identity()
  const file = journalFile(folders.data, service)
  const key = keyFile(folders.data, service)
  // If a note names a journal that doesn't exist, the journal was lost.
  if (!existsSync(file) && !existsSync(noteOf(file))) return {file, opened: undefined}
  const opened = openJournal({
    ...processSurroundings(surroundings.now),
    file,
    service,
    profile: name,
    key: () => localKeyFile(key),
    keyFile: key,
  })
  return {file, opened}
}

/** Whether a job of this machine waits for somebody to continue it. */
async function bulkJobs(context: Context): Promise<Finding> {
  using opened = (await openedJournal(context)).opened
  const {jobs, open, failed} = await jobsOf(context, opened)
  const facts = {jobs, open: open.map(factsOf)}
  const [first] = open
  if (first === undefined) {
    const [last] = failed
    const ends = last === undefined ? '' : `. ${last.job} ended with ${countRows(last.failed)} failed`
    return fine(`${jobs === 0 ? 'none' : 'none is left undone'}${ends}`, {facts})
  }
  const {job} = first
  const [why] = reasonLines(first.reasons)
  const because = why === undefined ? '' : `. Most often ${why}`
  const others = open.length === 1 ? '' : ` (and ${open.length - 1} more)`
  return doubtful(maskText(`${job} is left: ${countsOf(first)}${because}${others}`), toNext(first) ?? '', {
    facts,
  })
}

/** How many jobs there are, and those that stopped and can go on; also those that the team shares. */
async function jobsOf(context: Context, opened: Journal | undefined) {
  if (opened === undefined) return {jobs: 0, open: [], failed: []}
  const own = await summaries(context, new JobStore(opened, context.surroundings.now))
  const shared = await sharedJobs(context, opened)
  const open = [...own, ...shared].filter(
    ({state, job, next, left, held}) =>
      next !== undefined &&
      (state === 'stopped' || (isShared({job}) && state !== 'cancelled' && left + held > 0)),
  )
  const failed = [...own, ...shared].filter(({state, failed}) => state === 'done' && failed > 0)
  return {jobs: own.length + shared.length, open, failed}
}

async function summaries(context: Context, store: Jobs): Promise<readonly BulkSummary[]> {
  const all: BulkSummary[] = []
  for (const job of await store.list()) all.push(await summaryOf(context, store, job))
  return all
}

async function sharedJobs(context: Context, opened: Journal): Promise<readonly BulkSummary[]> {
  const {profile} = await context.service.chosen()
  if (profile.teamStore === undefined) return []
  const store = await openSharedJobs(context, opened)
  try {
    return await summaries(context, store)
  } finally {
    await store.close()
  }
}

/** As `bulk status` has them. */
const factsOf = ({
  job,
  rows,
  done,
  failed,
  held,
  left,
  open,
  reasons = [],
  next,
  nextWhen,
  nextAfter,
}: BulkSummary) => ({
  job,
  rows,
  done,
  failed,
  held,
  left,
  open,
  reasons: maskReasons(reasons),
  next,
  nextWhen,
  nextAfter,
})

/** Whether a 429 of the service keeps everybody from sending. */
async function pause(context: Context): Promise<Finding> {
  using opened = (await openedJournal(context)).opened
  const paused = opened && (await pauseNow(context, opened))
  if (paused === undefined) return fine('none')
  return doubtful(
    `until ${context.when(Date.parse(paused.until))}: ${paused.why}`,
    advice`Wait until then. If the service no longer asks for it: ${context.commandLine('requests', 'pace', '--clear')}`,
    {facts: {...paused}},
  )
}

async function journal(context: Context): Promise<Finding> {
  const found = await openedJournal(context)
  const {file} = found
  using opened = found.opened
  if (opened === undefined) {
    const {words} = await context.service.identity()
    return fine(`empty: nothing was written at ${words} yet`, {facts: {file, requests: 0}})
  }
  opened.upkeep.checkSound()
  const all = [
    ...opened.requests.iterate({state: 'unknown'}),
    ...opened.requests.iterate({state: 'unfinished'}),
  ]
  // A job that can go on has a next command of its own.
  const jobs = new Set((await jobsOf(context, opened)).open.map(({job}) => job))
  const open = all.filter(({job}) => job === undefined || !jobs.has(job))
  const facts = {file, unresolved: open.map(({id}) => id), ofJobs: all.length - open.length}
  const [first] = open
  if (first === undefined)
    return fine(
      all.length === 0 ? 'sound, no request is left open' : 'sound; requests are open of bulk jobs only',
      {facts},
    )
  const requests = open.length === 1 ? '1 request' : `${open.length} requests`
  return doubtful(
    `sound; whether ${requests} had an effect is not known`,
    advice`Find out: ${context.commandLine('requests', 'resolve', {value: first.id})}`,
    {facts},
  )
}

async function audit(context: Context): Promise<Finding> {
  const {data} = context.folders
  const file = trailFile(data)
  // Requests in the journal leave entries in the trail, so a journal without a trail is suspicious.
  if (![file, `${file}.head`, join(data, 'journal')].some(existsSync)) {
    return fine('empty: no write yet', {facts: {file, lines: 0}})
  }
  using trail = await context.stores.audit('check')
  const verdict = await trailFailure(context, trail)
  const {lines, unsealed} = verdict
  const facts = {file, lines, unsealed}
  if (lines === 0) return fine('empty: no write yet', {facts})
  const sound = `sound, ${lines} ${lines === 1 ? 'line' : 'lines'}`
  const [first, ...more] = [
    ...(unsealed === 0 ? [] : ['A process was killed, or somebody added them; the next line will say so.']),
    ...caveats(context, verdict),
  ]
  if (first === undefined) return fine(sound, {facts})
  const but = unsealed === 0 ? 'but there is more to know' : `but the last ${unsealed} are not sealed`
  return doubtful(`${sound}, ${but}`, [first, ...more].join(' '), {facts})
}
