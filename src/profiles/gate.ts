import {type Cleared, clearedIn, irreversibleIn, unexpectedIn} from '../contract/marked-values.ts'
import type {AnyInput, Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import type {Target} from './target.ts'

export interface GateOptions {
  /** `--allow-v2`. */
  readonly allowV2?: boolean
  /** Whether cardctl can ask the user. */
  readonly interactive?: boolean
  /** Whether the user chose the profile. Without a terminal, a write with a profile by default is refused. */
  readonly explicit?: boolean
}

/** A confirmation that a request needs before it is sent. */
export interface Demand {
  /** What the user types or passes with `--confirm`. Without it, a yes is enough. */
  readonly name?: string
  /** Whether `--yes` is also enough. */
  readonly yes: boolean
  /** What to do without a terminal, where no flag can confirm it. */
  readonly refusal?: string
  /** What to send so that it needs no confirmation: no flag confirms what was hardly meant. */
  readonly instead?: string
  /** The warning that this confirmation is about. Without it, it is about the request as a whole. */
  readonly warning?: string
}

/** What the user confirmed in advance, and whether cardctl can ask. */
export interface Agreement {
  readonly interactive: boolean
  /** `--yes`. */
  readonly yes: boolean
  /** Values of `--confirm`. */
  readonly confirm: readonly string[]
}

type Gated = Pick<
  Operation,
  | 'id'
  | 'group'
  | 'effect'
  | 'deprecated'
  | 'path'
  | 'pathParams'
  | 'summary'
  | 'irreversible'
  | 'hazards'
  | 'wholes'
>

/**
 * Decides whether a profile allows a request, and which confirmations it needs. Depends on the marks of the contract,
 * never on the HTTP method. Without an input it judges the operation alone, for commands that first ask for more.
 *
 * @throws Failure GATE_REFUSED, PROFILE_NOT_CHOSEN; nothing was sent then.
 */
export function gate(
  target: Pick<Target, 'name' | 'kind' | 'readOnly'>,
  operation: Gated,
  options: GateOptions = {},
  input: AnyInput = {path: {}, query: {}},
): readonly Demand[] {
  const {name, kind, readOnly} = target
  if (operation.group === 'sandbox' && kind !== 'sandbox') {
    throw refused(
      `The profile ${name} is ${kind}; the sandbox's controls exist on a sandbox only.`,
      'Add -p sandbox for the embedded one, or name a profile of kind sandbox.',
    )
  }
  if (operation.effect === 'read') return []
  if (readOnly) {
    throw refused(
      `The profile ${name} is read-only, and "${operation.summary}" ${does[operation.effect]}.`,
      `The person who looks after the profile ${name} decides whether it may write.`,
    )
  }
  requireChosen(operation, options)
  if (kind === 'live' && isOldPin(operation) && !options.allowV2) {
    throw refused(
      `"${operation.summary}" in version v2 is deprecated, and the profile ${name} is live.`,
      `Use version v3. The person who looks after the profile ${name} decides whether v2 may be used.`,
    )
  }
  return demandsOf(target, operation, input)
}

/** First the irreversible values by name, then the hazards, then the request itself by the id in its path. */
function demandsOf(
  {name, kind}: Pick<Target, 'name' | 'kind'>,
  operation: Gated,
  input: AnyInput,
): readonly Demand[] {
  const values = irreversibleIn(operation, input)
  const isLasting = operation.effect === 'destroy' || values.length > 0
  return [
    ...values.map(({value, warning}) => ({name: value, yes: false, warning})),
    ...unexpectedIn(operation, input).map(warning => ({yes: true, warning})),
    ...clearedIn(operation, input).map(part => ({
      yes: false,
      warning: part.warning,
      instead: insteadOf(part),
    })),
    ...(kind === 'live' || operation.effect === 'destroy'
      ? // On a live profile, --yes is never enough for a deletion or an irreversible value.
        [{name: resourceOf(operation, input) ?? name, yes: kind !== 'live' || !isLasting}]
      : []),
  ]
}

/** How to send a part of an object as it is meant. */
export const insteadOf = ({name, missing}: Cleared): string =>
  `Send the rest too, or null for what is to be cleared: ${missing.map(member => `-F ${name}.${member}=null`).join(' ')}`

/** What the rows of a bulk job do that needs confirmation. */
export interface RowsFound {
  readonly rows: number
  /** Irreversible values, and the number of rows that set each. */
  readonly irreversible?: ReadonlyMap<string, number>
  /** The contract's warnings, and the number of rows that each applies to. */
  readonly hazards?: ReadonlyMap<string, number>
  /** What parts of objects would clear, and the number of rows that do. */
  readonly cleared?: ReadonlyMap<string, number>
  /** The rows with large changes of amounts among the first `of`: how many, and the first one in words. */
  readonly changes?: {readonly rows: number; readonly of: number; readonly first: string} | undefined
  /** Which fields they set, and of how many things of which kind; undefined if there are too many rows to say. */
  readonly sets?:
    | {
        readonly fields: readonly string[]
        readonly kind: string
        readonly things: number
        /** The first row and the last one. */
        readonly ends: readonly SetRow[]
      }
    | undefined
  /** The rows that set a field to another value than an earlier one: how many, and the first one in words. */
  readonly differing?: {readonly rows: number; readonly first: string} | undefined
  /** The rows with amounts above the profile's ceiling: how many, and the first one in words. */
  readonly over?: {readonly rows: number; readonly first: string} | undefined
}

/** What a row sets. */
export interface SetRow {
  /** `account:2001` */
  readonly owner: string
  readonly body: unknown
}

export interface RowsDemands {
  /** Need `--confirm NAME:COUNT`: a yes or a name doesn't show that the user knows the number of rows. */
  readonly counts: readonly {readonly name: string; readonly count: number}[]
  readonly demands: readonly Demand[]
}

/**
 * The confirmations that a bulk job over one operation needs. On a live profile the user types the profile's name,
 * because there is no single id, and confirms deletions with their count.
 */
export function demandsOfRows(
  {name, kind}: Pick<Target, 'name' | 'kind'>,
  {id, effect}: Pick<Operation, 'id' | 'effect'>,
  {rows, irreversible = new Map(), hazards = new Map(), cleared = new Map()}: RowsFound,
): RowsDemands {
  const isLive = kind === 'live'
  return {
    counts: [
      ...[...irreversible].map(([value, count]) => ({name: value, count})),
      ...(isLive && effect === 'destroy' ? [{name: id, count: rows}] : []),
    ],
    demands: [
      ...[...hazards].map(([warning, count]) => ({
        yes: true,
        warning: `${count} of ${countRows(rows)}: ${warning}`,
      })),
      ...[...cleared].map(([warning, count]) => ({
        yes: false,
        warning: `${count} of ${countRows(rows)}: ${warning}`,
        instead: 'Give the rest in columns too, or null there.',
      })),
      ...(isLive && effect !== 'read' ? [{name, yes: true}] : effect === 'destroy' ? [{yes: true}] : []),
    ],
  }
}

export const countRows = (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'}`

/** The id of the resource of a request: the last one in its path. */
export function resourceOf({pathParams}: Pick<Operation, 'pathParams'>, input: AnyInput): string | undefined {
  const name = pathParams.findLast(each => /^id$|Id$/.test(each)) ?? pathParams.at(-1)
  return name === undefined ? undefined : input.path[name]
}

/** The result for a demand: it is met (`go`), the user is asked (`ask`), or it is refused because cardctl can't ask. */
export function decideDemand({name, yes}: Demand, said: Agreement): 'go' | 'ask' | 'refuse' {
  if (name !== undefined && said.confirm.includes(name)) return 'go'
  if (yes && said.yes) return 'go'
  return said.interactive ? 'ask' : 'refuse'
}

const does = {
  disclose: 'hands out something secret',
  write: 'changes something',
  destroy: 'destroys something',
} as const

/**
 * A script with a wrong HOME must not write to the embedded sandbox by mistake. Controls of the sandbox are exempt,
 * because they work on nothing else.
 */
function requireChosen({effect, group}: Gated, {interactive, explicit}: GateOptions): void {
  if (interactive !== false || explicit !== false || group === 'sandbox' || effect === 'disclose') return
  throw new Failure('PROFILE_NOT_CHOSEN', {
    message: 'No profile was chosen, so this write would go to the embedded sandbox.',
    effect: 'none',
  })
}

/** The PIN operations of v2 encrypt with keys that are too short. */
function isOldPin({group, deprecated, path}: Gated): boolean {
  return group === 'pin' && deprecated && path.startsWith('/v2/')
}

function refused(message: string, hint: string): Failure {
  return new Failure('GATE_REFUSED', {message, hint, effect: 'none'})
}
