import {operationOf} from '../../../cli/former-values.ts'
import {resourceWords} from '../../../contract/resource.ts'
import {isObject} from '../../../errors/is-object.ts'
import {amount, count, counted} from '../../../money/amount.ts'
import {valueWords} from '../../../output/changes.ts'
import {joined, listAt, numberAt, textAt} from '../../../output/fields.ts'
import {outcome} from '../../../output/outcome.ts'
import {MASK} from '../../../sensitive/secret.ts'
import {addressWords, didOf} from './lasting-words.ts'
import type {ShiftEntry, ShiftLine} from './shift-types.ts'

/** The values that the words of an entry leave out, because they have parts: "usageLimits DAILY RETAIL 3,500". */
export function nestedValues(entry: ShiftEntry): string {
  const {sent, did} = entry
  const parts = Object.entries(isObject(sent) ? sent : {}).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null) return []
    const words =
      name === 'usageLimits'
        ? limitWords({value})
        : name === 'address'
          ? addressWords(entry)
          : valueWords(value)
    if (words === '' || words.includes(MASK)) return []
    return isNamed(did, name) ? [words] : [`${name} ${words}`]
  })
  return parts.length === 0 ? '' : `(${parts.join('; ')})`
}

/** Whether it is the last word: `change the limits of card 3001: usageLimits`. */
const isNamed = (did: string, name: string): boolean => did.split(' (')[0]?.endsWith(`: ${name}`) ?? false

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
    .replace(/^(\S.*?) says so: /, 'According to $1: ')
    .replace(/^[A-Z]{3,7} \/\S+ /, '')
    .replace(/^was refused \(\d{3}\): /, '')
    .replace(/^found nothing \(\d{3}\): (?:([\w ]+) not found: (?=.* no such \1\b))?/, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * The requests of a bulk job as one entry, at the place of the first, with how many ended how. A row that was sent again has
 * several, and one that was cancelled none. Batches of transfers stay: each
 * moved money.
 */
export function oneOfEachJob(entries: readonly ShiftEntry[]): readonly ShiftLine[] {
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

function lineOf(rows: readonly ShiftEntry[]): ShiftLine {
  const [first] = rows as readonly [ShiftEntry, ...ShiftEntry[]]
  const touched = [...new Set(rows.flatMap(({resources}) => resources))]
  return {
    at: first.at,
    kind: first.kind,
    did: `${rowWords(rows)} (bulk job ${first.job}${first.neverSent === undefined ? '' : `; cancelled, ${counted(first.neverSent, 'row')} never sent`})`,
    neverSent: first.neverSent,
    ends: byEnd(rows)
      .map(([end, all]) => `${count(all.length)} ${end}`)
      .join(', '),
    resources: touched,
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

/** Those that did something first. */
const byEnd = (rows: readonly ShiftEntry[]) => [
  ...Map.groupBy(
    rows.toSorted((a, b) => Number(b.state === 'done') - Number(a.state === 'done')),
    endOf,
  ),
]

const endOf = (row: ShiftEntry): string => outcome(row).text

/** Rows of a job that are named on its line. */
const MOST_ROWS = 10

/** What its rows did, and apart from that what they did not do: `block debit accounts 2006, 2007; refused: 2001 (…)`. */
function rowWords(rows: readonly ShiftEntry[]): string {
  const [done, others] = [
    rows.filter(({state}) => state === 'done'),
    rows.filter(row => row.state !== 'done'),
  ]
  const named = done.length > 0 ? done : rows
  const rest = done.length > 0 ? others : []
  const ends = [...Map.groupBy(rest, row => `${endOf(row)}\0${reasonOf(row)}`).values()].map(all => {
    const reason = all[0] === undefined ? '' : reasonOf(all[0])
    const ids = all.map(row => partsOf(row)?.id ?? didOf(row))
    return `${all[0] === undefined ? '' : endOf(all[0])}: ${shortList(ids)}${reason === '' ? '' : ` (${reason})`}`
  })
  return [sameWords(named), ...ends].join('; ')
}

const reasonOf = (row: ShiftEntry): string => problemOf(row).replace(/\.$/, '')

/** `block debit accounts 2006, 2007`, with values of their own in brackets. */
const sameWords = (rows: readonly ShiftEntry[]): string =>
  [...Map.groupBy(rows, row => partsOf(row)?.what ?? row.operation ?? '')]
    .map(([what, all]) => {
      const parts = all.flatMap(row => partsOf(row) ?? [])
      if (parts.length < all.length) {
        const [{operation = ''} = {}] = all
        return `${operationOf({operation})?.summary ?? operation}, ${counted(all.length, 'request')}`
      }
      const values = new Set(parts.map(({value}) => value))
      const [value = ''] = values
      const isOne = values.size === 1
      const ids = isOne
        ? [...new Set(parts.map(({id}) => id))]
        : parts.map(
            part => `${part.id}${part.value === '' ? '' : ` (${part.value.replace(/^(?:: | to )/, '')})`}`,
          )
      const end = isOne ? value : ''
      return `${what}${ids.length > 1 ? 's' : ''} ${shortList(ids)}${end}`
    })
    .join('; ')

/** `block debit account`, `2003`, and what follows; undefined of words that don't name the one thing that was touched. */
function partsOf(
  row: ShiftEntry,
): {readonly what: string; readonly id: string; readonly value: string} | undefined {
  for (const text of row.resources) {
    const words = ` ${resourceWords(text)}`
    const id = text.slice(text.indexOf(':') + 1)
    const did = didOf(row)
    const at = did.indexOf(words)
    const end = at + words.length
    if (at < 0 || /^\w/.test(did.slice(end))) continue
    const nested = nestedValues(row)
    return {
      what: did.slice(0, end - id.length - 1),
      id,
      value: `${did.slice(end)}${nested === '' ? '' : ` ${nested}`}`,
    }
  }
  return undefined
}

function shortList(ids: readonly string[]): string {
  if (ids.length <= MOST_ROWS) return ids.join(', ')
  return `${ids.slice(0, MOST_ROWS).join(', ')} and ${count(ids.length - MOST_ROWS)} more`
}
