import {type Advice, advice, joinAdvice, nextAdvice} from '../errors/advice.ts'
import type {Failure} from '../errors/failure.ts'
import {finalState} from '../errors/final-states.ts'
import {errorRegistry} from '../errors/registry.ts'
import {SuggestedCommand, type SuggestedEffect} from '../errors/suggested-command.ts'
import {createPrinter} from '../output/index.ts'
import {Sink} from '../output/sink.ts'
import {escapeText} from '../output/styled.ts'
import {isDumb} from '../output/terminal.ts'
import {MASK} from '../sensitive/secret.ts'
import {effectOf} from './command-effects.ts'
import {sameService} from './command-line.ts'
import {forLog} from './for-log.ts'
import {isLogged} from './log-format.ts'
import type {Commands} from './program.ts'
import type {Surroundings} from './surroundings.ts'

/** Prints an error on stderr: as text, or as one JSON object if the user chose JSON. */
export async function reportFailure(
  failure: Failure,
  argv: readonly string[],
  surroundings: Surroundings,
  commands: Commands,
): Promise<void> {
  const words = beforeDoubleDash(argv)
  const format =
    isLogged(surroundings) || wantsJson(words, surroundings.env.CARDCTL_OUTPUT) ? 'json' : 'table'
  const printer = createPrinter(surroundings, {format, noColour: words.includes('--no-color')})
  const {stderr, signal, env} = surroundings
  // The terminal has printed ^C where the error is to begin.
  const screen = new Sink(stderr)
  if (signal.aborted && stderr.isTTY && !isDumb(env)) screen.say('\r\u001b[2K')
  const shown = withFinalState(failure)
  const told = format === 'json' ? withNext(shown) : shown
  const bound = told.withCommands(command =>
    command.for(sameService(undefined, surroundings.platform, forLog(surroundings))),
  )
  await printer.error(format === 'json' ? await withEffects(bound, commands) : bound)
  if (words.includes('--debug') || surroundings.env.CARDCTL_DEBUG) {
    for (const line of traceOf(failure)) screen.say(`${escapeText(line)}\n`)
  }
}

/** The next command, which people read in a line of its own, is a part of the hint for programs. */
function withNext(failure: Failure): Failure {
  const {advice: hint, details} = failure
  const {next, nextWhen} = details.data ?? {}
  if (!(next instanceof SuggestedCommand)) return failure
  const named = nextAdvice(next, typeof nextWhen === 'string' ? nextWhen : undefined)
  if (hint.toString().endsWith(named.toString())) return failure
  return failure.with({hint: joinAdvice([...asSentence(hint), named], ' ')})
}

function asSentence(hint: Advice): readonly Advice[] {
  const text = hint.toString()
  if (text === '') return []
  return [/[.!?]$/.test(text) ? hint : advice`${hint}.`]
}

/** What is said of any refusal, to correct it and send it again, is wrong of a state that is final. */
function withFinalState(failure: Failure): Failure {
  const isPlain = failure.code === 'REFUSED' && failure.hint === String(errorRegistry.REFUSED.hint)
  const hint = isPlain ? finalState(failure.message) : undefined
  return hint === undefined ? failure : failure.with({hint})
}

/** A program that runs a suggested command wants to know what that changes. */
async function withEffects(failure: Failure, commands: Commands): Promise<Failure> {
  const effects = new Map<SuggestedCommand, SuggestedEffect>()
  for (const command of failure.advice.commands) effects.set(command, await effectOf(command, commands))
  return failure.withCommands(command => command.with(effects.get(command) ?? 'read'))
}

const beforeDoubleDash = (argv: readonly string[]): readonly string[] => {
  const end = argv.indexOf('--')
  return end === -1 ? argv : argv.slice(0, end)
}

/**
 * The error may be in the command line itself, so it is read as text.
 *
 * @param usual the format of the environment.
 */
function wantsJson(words: readonly string[], usual: string | undefined): boolean {
  const isChosen = words.some(word => /^(--output(=|$)|-[qyi]*o)/.test(word))
  if (!isChosen && usual !== undefined && /^(nd)?json$/.test(usual)) return true
  return words.some((word, at) => {
    if (word === '--json' || /^(--output=|-[qyi]*o=?)(nd)?json$/.test(word)) return true
    return /^(--output|-[qyi]*o)$/.test(word) && /^(nd)?json$/.test(words[at + 1] ?? '')
  })
}

/**
 * Where it happened, without messages: those of unknown errors may quote their input. oclif's errors carry the whole
 * command line, so only the stack lines are used.
 */
function traceOf(failure: Failure): readonly string[] {
  const lines: string[] = []
  for (let error: unknown = failure; error instanceof Error; error = error.cause) {
    const frames = (error.stack ?? '').split('\n').filter(line => line.trimStart().startsWith('at '))
    lines.push(`${error.name}${lines.length > 0 ? `: ${MASK}` : ''}`, ...frames)
  }
  return lines
}
