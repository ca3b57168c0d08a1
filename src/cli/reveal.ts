import * as Flags from '@oclif/core/flags'
import {Failure} from '../errors/failure.ts'
import {interrupted} from '../errors/interruption.ts'
import {isClosedTerminal} from '../input/read-input.ts'
import type {View} from '../output/index.ts'
import {Sink} from '../output/sink.ts'
import {hasSecondScreen} from '../output/terminal.ts'
import {confirm} from './confirm.ts'
import type {Context} from './context.ts'
import type {FlagValues} from './flags.ts'
import {isInteractive} from './surroundings.ts'

/** `--reveal` and `--keep` of a command that can show `what`. */
export const revealFlags = (what: string, exclusive: string[] = []) => ({
  reveal: Flags.boolean({
    summary: `Show ${what} in clear: on a terminal with a second screen until a key is pressed, on a pipe only with --yes.`,
    exclusive,
  }),
  keep: Flags.boolean({summary: 'Leave what --reveal shows on the screen.', dependsOn: ['reveal']}),
})

/** A terminal's second screen (DEC private mode 1049). It leaves no trace in the scrollback. */
const OTHER_SCREEN = '\u001b[?1049h\u001b[H'
const BACK = '\u001b[H\u001b[2J\u001b[?1049l'

/** Long enough to copy a card number by hand, in ms. */
const SHOWN_MS = 60_000
/** Where no key can be pressed, in ms. */
const SHOWN_WITHOUT_KEYS_MS = 20_000

/** Ctrl-C, which is an ordinary character while the terminal's line editing is off. */
const INTERRUPT = 0x03

export type RevealFlags = FlagValues<ReturnType<typeof revealFlags>>

export interface Revealed<Result> {
  /** For the audit trail, which is written before anything is shown. */
  readonly operation: string
  /** What it belongs to, as `card:3004`. */
  readonly resources: readonly string[]
  readonly result: Result
  readonly view: View<Result>
  readonly keep: boolean
}

/**
 * Call it before anything is requested. A person confirms on a terminal; a pipe needs `--reveal --yes`.
 *
 * @throws Failure USAGE if the secret would stay in the terminal's scrollback; CONFIRMATION_…
 */
export async function confirmReveal(
  context: Context,
  {what, card}: {readonly what: string; readonly card: string},
  {keep}: RevealFlags,
): Promise<void> {
  const {stdout, env, platform} = context.surroundings
  if (stdout.isTTY === true && !keep && !hasSecondScreen(env, platform)) {
    throw new Failure('USAGE', {
      message: `This terminal (TERM=${env.TERM ?? ''}) can't clear what --reveal shows: it would stay in the scrollback.`,
      hint: 'Send it to a program with --reveal --yes and a pipe, or use a terminal with a second screen, such as TERM=xterm-256color. To leave it on the screen, add --keep.',
      effect: 'none',
    })
  }
  await confirm(context, {
    place: await context.service.place(),
    action: `show ${what} of card ${card} in clear`,
    consequence:
      'Everyone who sees the screen or the output can read it, and the audit trail records that it was shown.',
  })
}

/**
 * Shows the secret of `--reveal`: on a terminal for a while on its second screen, until a key is pressed; on a pipe
 * unchanged.
 */
export async function reveal<Result>(context: Context, revealed: Revealed<Result>): Promise<void> {
  const {operation, resources, result, view, keep} = revealed
  const {stdout, atExit} = context.surroundings
  await recordReveal(context, operation, resources)
  const print = () => context.printer.data(result, view, {sensitive: true})
  if (keep || stdout.isTTY !== true) return print()
  const screen = new Sink(stdout)
  const goBack = (): void => screen.say(BACK)
  // A second signal ends the process at once, also here.
  const forget = atExit(goBack)
  screen.say(OTHER_SCREEN)
  try {
    await print()
    await untilSeen(context, screen)
  } finally {
    forget()
    goBack()
  }
  context.printer.note('Shown, and cleared from the screen.')
}

/** Records that a secret is about to be shown, but not the secret. */
async function recordReveal(
  {service, purposes, stores, surroundings}: Context,
  operation: string,
  resources: readonly string[],
): Promise<void> {
  const target = await service.target()
  const purpose = await purposes.given(target)
  using audit = await stores.audit()
  const {name: profile, auditUser, responsible} = target
  const {osUser} = surroundings
  audit.append({
    kind: 'reveal',
    osUser,
    auditUser,
    responsible,
    profile,
    operation,
    resources,
    outcome: 'done',
    ...purpose,
  })
}

async function untilSeen({surroundings, flags}: Context, screen: Sink): Promise<void> {
  const {stdin, signal, sleep} = surroundings
  const over = new AbortController()
  const end = (): void => over.abort()
  const onKey = (typed: Buffer): void => over.abort(typed.includes(INTERRUPT) ? 'SIGINT' : undefined)
  const onEnd = (): void => over.abort(isClosedTerminal(stdin) ? 'SIGHUP' : undefined)
  signal.addEventListener('abort', end)
  const keys = isInteractive(surroundings, flags['no-input'])
  const seconds = (keys ? SHOWN_MS : SHOWN_WITHOUT_KEYS_MS) / 1000
  if (keys) {
    stdin.setRawMode?.(true)
    stdin.on('data', onKey).on('end', onEnd).resume()
  }
  screen.say(`\n${keys ? 'Any key clears this' : 'This is cleared'}, at the latest after ${seconds} s.`)
  try {
    if (!signal.aborted) await sleep(seconds * 1000, over.signal).catch(() => undefined)
  } finally {
    signal.removeEventListener('abort', end)
    if (keys) {
      stdin.off('data', onKey).off('end', onEnd).pause()
      stdin.setRawMode?.(false)
    }
  }
  const {reason} = over.signal
  if (reason === 'SIGINT' || reason === 'SIGHUP') throw interrupted(reason, {effect: 'done'})
}
