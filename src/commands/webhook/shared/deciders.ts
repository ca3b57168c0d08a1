import {credentialsFor} from '../../../cli/call-credentials.ts'
import {confirmHost, WITHOUT_TLS} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import type {FlagValues} from '../../../cli/flags.ts'
import {refuseServiceHost} from '../../../cli/service-host.ts'
import {Failure} from '../../../errors/failure.ts'
import {environmentForChildren} from '../../../profiles/index.ts'
import * as webhook from '../../../webhook/index.ts'
import {type Decider, type ForwardTarget, firstDecision, type PendingCalls} from '../../../webhook/index.ts'
import {followRules, loadRules, type RuleDecider, type RuleHits} from '../../../webhook/rules/index.ts'
import {canAskInTerminal} from './ask-in-terminal.ts'
import {readHeaders, readTls} from './endpoint.ts'
import type {webhookServerFlags} from './serve-flags.ts'
import type {RulesEvent} from './serve-view.ts'

type DeciderFlags = FlagValues<typeof webhookServerFlags>

export interface ChosenDeciders {
  readonly decider: Decider
  /** Who decides, in this order: `rules.yaml`, then `http://127.0.0.1:3000`. */
  readonly order: readonly string[]
  /** How often each rule has decided; absent without rules. */
  readonly ruleHits?: (() => readonly RuleHits[]) | undefined
  /** The endpoint of --forward-to. */
  readonly forward?: ForwardTarget | undefined
  /** The calls that wait for a person. */
  readonly pendingCalls?: PendingCalls | undefined
}

interface DeciderOptions {
  /** Headers of a call that a forwarded one doesn't have. */
  readonly withheld: readonly string[]
  onReload(event: RulesEvent): void
}

/**
 * The deciders from the flags: rules first, then a command, an endpoint or a person; otherwise the same answer for all
 * calls.
 */
export async function chooseDeciders(
  context: Context,
  flags: DeciderFlags,
  {withheld, onReload}: DeciderOptions,
): Promise<ChosenDeciders> {
  if (flags.ask && !flags.inspect && !canAskInTerminal(context)) {
    throw new Failure('USAGE', {
      message: '--ask needs a terminal.',
      hint: 'Run it on a terminal, or add --inspect to answer on the page.',
    })
  }
  const rules = flags.rules === undefined ? undefined : await openRules(context, flags.rules, onReload)
  const {pendingCalls, forward, ...last} = await chooseLast(context, flags, withheld)
  return {
    decider: firstDecision(rules ? [rules, last.decider] : [last.decider]),
    order: [...(flags.rules === undefined ? [] : [flags.rules]), last.name],
    ruleHits: rules?.hits,
    forward,
    pendingCalls,
  }
}

async function openRules(
  {surroundings: {random, sleep, now}, printer}: Context,
  file: string,
  onReload: (event: RulesEvent) => void,
): Promise<RuleDecider> {
  const loaded = await loadRules(file)
  for (const warning of loaded.warnings) printer.warn(warning)
  return followRules(loaded, {
    random,
    sleep,
    onReload: reload => onReload({type: 'rules', at: now(), ...reload}),
  })
}

async function chooseLast(
  context: Context,
  flags: DeciderFlags,
  withheld: readonly string[],
): Promise<{decider: Decider; name: string; pendingCalls?: PendingCalls; forward?: ForwardTarget}> {
  const {exec, ask, decline, 'forward-to': address, confirm} = flags
  if (exec !== undefined) {
    if (exec.trim() === '')
      throw new Failure('USAGE', {message: '--exec is empty. Pass the command that decides.'})
    const onStderr = (line: string, event?: string) =>
      context.printer.note([event === undefined ? 'exec: ' : `exec, ${event}: `, line])
    const env = environmentForChildren(context.surroundings)
    if (flags['exec-mode'] === 'long-running') {
      const onTrouble = (message: string) => context.printer.warn(message)
      const decider = webhook.decideByProcess(exec, {onStderr, onTrouble, env})
      return {decider, name: 'the command, long-running'}
    }
    return {decider: webhook.decideByCommand(exec, {onStderr, env}), name: 'the command'}
  }
  if (address !== undefined) {
    const url = webhook.parseAddress(address, '--forward-to')
    await refuseServiceHost(context, url)
    if (url.protocol === 'http:') await confirmHost(context, url, {confirm, why: WITHOUT_TLS})
    const {now} = context.surroundings
    const {'forward-auth': texts = ['none'], 'forward-header': given = []} = flags
    const {credentials} = await credentialsFor(url, texts, context, '--forward-auth')
    const tls = await readTls(
      context,
      {ca: flags['forward-ca'], cert: flags['forward-cert'], 'cert-key': flags['forward-cert-key']},
      '--forward-',
    )
    const headers = readHeaders(given, '--forward-header')
    const decider = webhook.forwardTo(url, {
      tls,
      headers,
      credentialsFor: body => webhook.credentialHeaders(credentials, body, now()),
      withheld,
    })
    return {decider, name: address, forward: {url, tls, headers, credentials}}
  }
  if (ask) {
    const pendingCalls = webhook.createPendingCalls()
    return {decider: pendingCalls, name: 'you', pendingCalls}
  }
  if (decline === undefined) return {decider: webhook.approveAll, name: 'approve'}
  const code = webhook.declineCode(decline)
  return {decider: webhook.declineAll(code), name: `decline ${code}`}
}
