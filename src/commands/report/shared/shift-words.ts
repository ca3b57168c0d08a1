import {operationOf} from '../../../cli/former-values.ts'
import {isObject} from '../../../errors/is-object.ts'
import {amount, count, counted} from '../../../money/amount.ts'
import {valueWords} from '../../../output/changes.ts'
import {joined, listAt, numberAt, textAt} from '../../../output/fields.ts'
import {MASK} from '../../../sensitive/secret.ts'
import type {ShiftEntry} from './shift-types.ts'

/** The values that the words of an entry leave out, because they have parts: "usageLimits DAILY RETAIL 3,500". */
export function nestedValues({sent}: ShiftEntry): string {
  const parts = Object.entries(isObject(sent) ? sent : {}).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null) return []
    const words = name === 'usageLimits' ? limitWords({value}) : valueWords(value)
    return words === '' || words.includes(MASK) ? [] : [`${name} ${words}`]
  })
  return parts.length === 0 ? '' : `(${parts.join('; ')})`
}

const limitWords = (sent: unknown): string =>
  listAt(sent, 'value')
    .flatMap(period =>
      listAt(period, 'values').map(use => {
        const most = numberAt(use, 'sumAmount') ?? numberAt(use, 'singleAmount')
        const times = numberAt(use, 'count')
        const limit = most === undefined ? '' : most === 0 ? 'no limit' : amount(most)
        return joined(
          [
            textAt(period, 'code'),
            textAt(use, 'code'),
            limit,
            times === undefined ? '' : `${count(times)} times`,
          ],
          ' ',
        )
      }),
    )
    .join(', ')

/** What went wrong, without the words of the wire: `PATCH /v4/DEBIT/2001 was refused (409): …`. */
export function problemOf({said, evidence}: ShiftEntry): string {
  const text = (evidence ?? said ?? '')
    .replace(/^[A-Z]{3,7} \/\S+ /, '')
    .replace(/^was refused \(\d{3}\): /, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * The requests of a bulk job as one entry, at the place of the first, with how many ended how. A row that was sent again has
 * several, and one that was cancelled none. Batches of transfers stay: each
 * moved money.
 */
export function oneOfEachJob(entries: readonly ShiftEntry[]): readonly ShiftEntry[] {
  const isRow = ({job, totals}: ShiftEntry): boolean => job !== undefined && totals === undefined
  const jobs = Map.groupBy(entries.filter(isRow), ({job, machines = []}) =>
    joined([job ?? '', ...machines], ' '),
  )
  const lines = new Map(
    [...jobs.values()].filter(rows => rows.length > 1).map(rows => [rows[0], lineOf(rows)] as const),
  )
  const hidden = new Set([...jobs.values()].filter(rows => rows.length > 1).flatMap(rows => rows.slice(1)))
  return entries.filter(entry => !hidden.has(entry)).map(entry => lines.get(entry) ?? entry)
}

function lineOf(rows: readonly ShiftEntry[]): ShiftEntry {
  const [first] = rows as readonly [ShiftEntry, ...ShiftEntry[]]
  const what = operationOf({operation: first.operation ?? ''})?.summary ?? first.operation ?? ''
  const states = [...Map.groupBy(rows, ({state = 'unknown'}) => state)]
  const ends = states.map(([state, all]) => `${count(all.length)} ${state}`).join(', ')
  const isMixed = states.length > 1
  return {
    at: first.at,
    kind: first.kind,
    did: `bulk job ${first.job}: ${what}, ${count(rows.length)} requests${isMixed ? ` (${ends})` : ''}${first.neverSent === undefined ? '' : `; cancelled, ${counted(first.neverSent, 'row')} never sent`}`,
    neverSent: first.neverSent,
    resources: [],
    auditUser: first.auditUser,
    caller: first.caller,
    // A job is as good as its worst row.
    state: WORST.find(state => rows.some(row => row.state === state)) ?? first.state,
    note: first.note,
    ticket: first.ticket,
    job: first.job,
    machines: first.machines,
  }
}

const WORST = ['unknown', 'unfinished', 'running', 'refused', 'failed', 'none'] as const
