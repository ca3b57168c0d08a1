import {hazardsIn, irreversibleIn} from '../contract/marked-values.ts'
import type {AnyInput, Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import type {Target} from './target.ts'

export interface GateOptions {
  /** `--allow-v2`. */
  readonly allowV2?: boolean
  /** Whether somebody can be asked; with `explicit`, see below. */
  readonly interactive?: boolean
  /** Whether somebody chose the profile. Without a terminal, a write is refused if nobody did. */
  readonly explicit?: boolean
}

/** What has to be agreed to before a request leaves. */
export interface Demand {
  /** What a person types, or gives with `--confirm`; without it a yes is enough. */
  readonly name?: string
  /** Whether `--yes` is enough as well. */
  readonly yes: boolean
  /** What this demand in particular is about, beside the request as a whole. */
  readonly warning?: string
}

/** What a person has said beforehand, and whether one can be asked. */
export interface Agreement {
  readonly interactive: boolean
  /** `--yes`. */
  readonly yes: boolean
  /** The names given with `--confirm`. */
  readonly confirm: readonly string[]
}

type Gated = Pick<
  Operation,
  'id' | 'group' | 'effect' | 'deprecated' | 'path' | 'pathParams' | 'summary' | 'irreversible' | 'hazards'
>

/**
 * Decides whether a profile lets a request through, and what has to be agreed to first. It follows the contract's marks,
 * never the HTTP method. Without an input it judges the operation alone, for commands that ask something first.
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
      `Choose another profile, or allow writes with profiles edit ${name} --no-read-only.`,
    )
  }
  requireChosen(operation, options)
  if (kind === 'live' && isOldPin(operation) && !options.allowV2) {
    throw refused(
      `"${operation.summary}" in version v2 is deprecated, and the profile ${name} is live.`,
      'Use version v3; if the service has v2 only, add --allow-v2.',
    )
  }
  return demandsOf(target, operation, input)
}

/** First irreversible values, by their names; then hazards; then the request itself, by the id that it is about. */
function demandsOf(
  {name, kind}: Pick<Target, 'name' | 'kind'>,
  operation: Gated,
  input: AnyInput,
): readonly Demand[] {
  const values = irreversibleIn(operation, input)
  const isLasting = operation.effect === 'destroy' || values.length > 0
  return [
    ...values.map(({value, warning}) => ({name: value, yes: false, warning})),
    ...hazardsIn(operation, input).map(warning => ({yes: true, warning})),
    ...(kind === 'live' || operation.effect === 'destroy'
      ? // On live, --yes never covers what is destroyed or can't be taken back.
        [{name: resourceOf(operation, input) ?? name, yes: kind !== 'live' || !isLasting}]
      : []),
  ]
}

/** What the rows of a run do that has to be agreed to. */
export interface RowsFound {
  readonly rows: number
  /** Values that can't be taken back, and how many rows set them. */
  readonly irreversible?: ReadonlyMap<string, number>
  /** The contract's warnings, and how many rows they concern. */
  readonly hazards?: ReadonlyMap<string, number>
}

export interface RowsDemands {
  /** What only `--confirm NAME:COUNT` agrees to: neither a yes nor a name shows that somebody knows how many rows there are. */
  readonly counts: readonly {readonly name: string; readonly count: number}[]
  readonly demands: readonly Demand[]
}

/**
 * What has to be agreed to before many requests of one operation leave. On a live profile a person types the name of the
 * profile, where one request takes its id, and confirms what is destroyed by its count as well.
 */
export function demandsOfRows(
  {name, kind}: Pick<Target, 'name' | 'kind'>,
  {id, effect}: Pick<Operation, 'id' | 'effect'>,
  {rows, irreversible = new Map(), hazards = new Map()}: RowsFound,
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
        warning: `${count} of ${inRows(rows)}: ${warning}`,
      })),
      ...(isLive && effect !== 'read' ? [{name, yes: true}] : effect === 'destroy' ? [{yes: true}] : []),
    ],
  }
}

export const inRows = (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'}`

/** The id that a request is about: the last one in its path. */
export function resourceOf({pathParams}: Pick<Operation, 'pathParams'>, input: AnyInput): string | undefined {
  const name = pathParams.findLast(each => /^id$|Id$/.test(each)) ?? pathParams.at(-1)
  return name === undefined ? undefined : input.path[name]
}

/** What happens to a demand: it is met (`go`), a person is asked, or it is refused because nobody can be asked. */
export function answerTo({name, yes}: Demand, said: Agreement): 'go' | 'ask' | 'refuse' {
  if (name !== undefined && said.confirm.includes(name)) return 'go'
  if (yes && said.yes) return 'go'
  return said.interactive ? 'ask' : 'refuse'
}

const does = {
  disclose: 'hands out something secret',
  write: 'changes something',
  destroy: 'destroys something',
} as const

/** A script with a wrong HOME must not write to the embedded sandbox by mistake. Controls of the sandbox mean nothing else. */
function requireChosen({effect, group}: Gated, {interactive, explicit}: GateOptions): void {
  if (interactive !== false || explicit !== false || group === 'sandbox' || effect === 'disclose') return
  throw new Failure('PROFILE_NOT_CHOSEN', {
    message: 'Nobody chose a profile, so this write would go to the embedded sandbox.',
    effect: 'none',
  })
}

/** The PIN operations of v2 encrypt with short keys. */
function isOldPin({group, deprecated, path}: Gated): boolean {
  return group === 'pin' && deprecated && path.startsWith('/v2/')
}

function refused(message: string, hint: string): Failure {
  return new Failure('GATE_REFUSED', {message, hint, effect: 'none'})
}
