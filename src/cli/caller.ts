import type {Target} from '../profiles/target.ts'
import {maskText} from '../sensitive/mask-text.ts'

export const CALLER_KINDS = ['person', 'job', 'agent'] as const

/** Who runs a command: a person at a terminal, a job, or a program that decides by itself what to run next. */
export type CallerKind = (typeof CALLER_KINDS)[number]

export interface Caller {
  readonly kind: CallerKind
  /** The name of an agent, if it says so. */
  readonly name?: string
}

type Env = Readonly<Record<string, string | undefined>>

/** Variables that programs of this kind set for the commands that they run, and their names. */
const MARKS: readonly (readonly [agent: string, ...variables: string[]])[] = [
  ['claude-code', 'CLAUDECODE', 'CLAUDE_CODE'],
  ['cursor', 'CURSOR_AGENT', 'CURSOR_TRACE_ID'],
  ['gemini-cli', 'GEMINI_CLI'],
  ['codex', 'CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED', 'CODEX_THREAD_ID'],
  ['augment', 'AUGMENT_AGENT'],
  ['opencode', 'OPENCODE', 'OPENCODE_CALLER', 'OPENCODE_CLIENT'],
  ['goose', 'GOOSE_TERMINAL'],
  ['cline', 'CLINE_ACTIVE'],
  ['copilot', 'COPILOT_AGENT', 'COPILOT_CLI'],
]

/** Variables whose value is the name. */
const NAMED = ['CARDCTL_AGENT', 'AI_AGENT'] as const

/** These programs give their name in a variable that others use for something else. */
const SHARED: readonly (readonly [variable: string, value: RegExp])[] = [
  ['AGENT', /^(?:amp|goose)$/i],
  ['AWS_EXECUTION_ENV', /amazonq/i],
]

/**
 * The kind that `--as` says. A mark of an agent only makes it stricter, so no flag takes it away.
 *
 * @param isTerminal a person can be asked.
 */
export function callerOf(env: Env, as: CallerKind | undefined, isTerminal: boolean): Caller {
  const agent = agentIn(env)
  if (agent !== undefined) return {kind: 'agent', ...(agent === '' ? {} : {name: agent})}
  return {kind: as ?? (isTerminal ? 'person' : 'job')}
}

/** Its name, or an empty text; undefined if no mark is there. */
function agentIn(env: Env): string | undefined {
  for (const variable of NAMED) {
    const value = env[variable]
    if (value) return nameFrom(value)
  }
  const marked = MARKS.find(([, ...variables]) => variables.some(variable => env[variable]))
  if (marked !== undefined) return marked[0]
  const shared = SHARED.find(([variable, value]) => value.test(env[variable] ?? ''))
  return shared === undefined ? undefined : nameFrom(env[shared[0]] ?? '')
}

/** It goes into a header and into records, so it is one plain word. */
function nameFrom(value: string): string {
  const name = /^[A-Za-z][\w.@-]{0,39}$/.exec(value)?.[0] ?? ''
  return maskText(name) === name ? name.toLowerCase() : ''
}

/** `person`, `job`, `agent`, `agent cursor`: for records and the User-Agent. */
export const callerText = ({kind, name}: Caller): string => (name === undefined ? kind : `${kind} ${name}`)

/** Whether the caller may send to this service only what a person confirms by hand. */
export const isHeldBack = ({kind}: Caller, target: Pick<Target, 'kind'>): boolean =>
  kind === 'agent' && target.kind === 'live'
