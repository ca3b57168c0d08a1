import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import type {ProfileKind} from '../../../profiles/index.ts'
import {READ_AT_ONCE} from './input-schema.ts'
import {wordsFor} from './input-words.ts'
import {KeptLists} from './kept-lists.ts'
import type {LineResult, LineRunner} from './run-line.ts'
import {errorOf, saidOn, shownError, toolResult} from './tool-result.ts'
import type {CommandTool} from './tools.ts'

/** What the person who started the server allows. */
export interface Allowed {
  readonly profile: string
  readonly kind: ProfileKind
  /** The kind as the profile has it now. */
  kindNow(): Promise<ProfileKind>
}

/** Carries out calls of tools as command lines of an agent. */
export class ToolCalls {
  readonly #runner: LineRunner
  readonly #allowed: Allowed
  readonly #lists = new KeptLists()

  constructor(runner: LineRunner, allowed: Allowed) {
    this.#runner = runner
    this.#allowed = allowed
  }

  async call(
    tool: CommandTool,
    input: Readonly<Record<string, unknown>>,
    {agent, signal}: {readonly agent: string; readonly signal: AbortSignal},
  ) {
    try {
      const words = wordsFor(tool.parameters, input)
      if (typeof input.cursor === 'string') return toolResult({...this.#lists.next(tool.name, input.cursor)})
      await this.#checkKind()
      const result = await this.#runner.run(this.#line(tool, input, words), agent, signal)
      return this.#shown(tool, input, result)
    } catch (error) {
      if (error instanceof Failure) return toolResult({error: errorOf(error)}, true)
      throw error
    }
  }

  /** What was allowed was allowed for this kind of profile. */
  async #checkKind(): Promise<void> {
    const {profile, kind, kindNow} = this.#allowed
    if ((await kindNow()) === kind) return
    throw new Failure('GATE_REFUSED', {
      message: `The profile ${profile} has another kind than when this server was started.`,
      hint: 'Ask the person who started the server to start it again.',
      effect: 'none',
    })
  }

  #line(
    tool: CommandTool,
    input: Readonly<Record<string, unknown>>,
    words: readonly string[],
  ): readonly string[] {
    const {profile, kind} = this.#allowed
    const hasLimit = tool.parameters.some(({name}) => name === 'limit')
    return [
      ...tool.command.name.split(' '),
      ...['-p', profile, '-o', 'json', '--no-input', '--as', 'agent'],
      ...(tool.isWrite ? [kind === 'live' ? '--propose' : '--yes'] : []),
      ...(hasLimit && input.limit === undefined ? [`--limit=${READ_AT_ONCE}`] : []),
      ...words,
    ]
  }

  #shown(
    tool: CommandTool,
    input: Readonly<Record<string, unknown>>,
    {exit, stdout, stderr, isCut}: LineResult,
  ) {
    const {error, warnings, isIncomplete} = saidOn(stderr)
    const members = isCut ? {} : this.#members(tool, input, stdout)
    const told = isCut ? [...warnings, {code: 'RESULT_TOO_LONG'}] : warnings
    const content = {
      ...members,
      ...(isIncomplete && 'items' in members ? {complete: false} : {}),
      ...(told.length === 0 ? {} : {warnings: told}),
    }
    if (exit === 0) return toolResult(content)
    return toolResult(
      {error: error === undefined ? {code: 'INTERNAL', exit} : shownError(error), ...content},
      true,
    )
  }

  #members(
    {name, form, isWrite}: CommandTool,
    input: Readonly<Record<string, unknown>>,
    stdout: string,
  ): Readonly<Record<string, unknown>> {
    if (stdout.trim() === '') return {}
    const value: unknown = JSON.parse(stdout)
    if (input['dry-run'] === true) return {preview: value}
    if (isWrite && this.#allowed.kind === 'live') return {proposal: value}
    if (!Array.isArray(value) || !form.isList) return {data: this.#ofProfile(value)}
    return {
      ...this.#lists.first(
        name,
        value.filter(item => this.#belongs(item)),
      ),
    }
  }

  /** Records of this machine are of all profiles; a caller sees those of the server's. */
  #belongs(item: unknown): boolean {
    return !isObject(item) || typeof item.profile !== 'string' || item.profile === this.#allowed.profile
  }

  #ofProfile(value: unknown): unknown {
    if (Array.isArray(value)) return value.filter(item => this.#belongs(item))
    if (!this.#belongs(value))
      throw new Failure('NOT_FOUND', {
        message: `Nothing on the profile ${this.#allowed.profile} has this id.`,
        effect: 'none',
      })
    if (!isObject(value) || !Array.isArray(value.found)) return value
    return {...value, found: value.found.filter(found => !isObject(found) || this.#belongs(found.value))}
  }
}
