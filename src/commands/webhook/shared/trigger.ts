import {confirmHost} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {findScenario} from '../../../contract/scenarios.ts'
import {checkWebhookCallStrict} from '../../../contract/validate.ts'
import {webhookShapes} from '../../../contract/webhook-shapes.gen.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {codeOfSignal} from '../../../errors/interruption.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import type {Preview} from '../../../http/send-types.ts'
import {maskByShape} from '../../../sensitive/mask-by-shape.ts'
import {redact} from '../../../sensitive/redact.ts'
import {countedViolations} from '../../../webhook/index.ts'
import {type CallFlags, makeCall} from './call.ts'
import {chooseScenario, DEFAULT_SCENARIO} from './choose-scenario.ts'
import {type ChosenEndpoint, chooseEndpoint} from './endpoint.ts'
import {checkAnswer, parseExpectations} from './expect-answer.ts'
import type {Triggered} from './trigger-view.ts'

/** A call that is ready to send. */
export interface Trigger {
  /** Shown in place of sending; masks what looks like a secret. */
  preview(): Promise<Preview>
  /** @throws Failure CONFIRMATION_REQUIRED or CONFIRMATION_DECLINED before anything is sent. */
  send(): Promise<Triggered>
}

const IDS = {auth: 'webhook.auth', 'warm-up': 'webhook.warmUp'} as const

/**
 * Builds one call, `auth` or `warm-up`, and warns where it differs from the contract. It is sent anyway, because that
 * may be the purpose of the test.
 *
 * @throws Failure for flags and files that can't be used; see chooseEndpoint and makeCall.
 */
export async function makeTrigger(context: Context, word: string, flags: CallFlags): Promise<Trigger> {
  const type = (['auth', 'warm-up'] as const).find(each => each === word)
  if (type === undefined) {
    const hint = findScenario(word)
      ? {
          hint: advice`For the scenario ${word}: ${cardctl('webhook', 'trigger', 'auth', '--scenario', {value: word})}`,
        }
      : {}
    throw new Failure('USAGE', {message: 'The type of a call is auth or warm-up.', ...hint})
  }
  const endpoint = await chooseEndpoint(context, flags)
  const {translator} = endpoint
  const path = translator ? (type === 'auth' ? translator.path : translator.warmUp?.path) : `/${type}`
  if (path === undefined)
    throw new Failure('NOT_OFFERED', {message: 'This service sends no warm-up.', effect: 'none'})
  const id = IDS[type]
  const call = await makeCall(context, id, flags)
  const expectations = await parseExpectations(flags.expect ?? [])
  for (const {message, suggestion} of countedViolations(await checkWebhookCallStrict(id, call), translator)) {
    const meant = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
    context.printer.warn(`The call differs from the contract: ${message}.${meant}`)
  }
  const url = `${endpoint.url.href.replace(/\/+$/, '')}${path}`
  const request = maskByShape(webhookShapes[id].request, call).masked
  const theirs = translator && (type === 'auth' ? translator.writeCall(call) : translator.warmUp?.body)
  return {
    preview: async () => ({
      method: 'POST',
      url,
      headers: headersOf(endpoint, type, theirs ?? call),
      body: theirs === undefined ? request : redact(theirs, {sensitive: []}),
    }),
    send: async () => {
      if (endpoint.url.protocol === 'http:') {
        const why = 'the call would go there without TLS'
        await confirmHost(context, endpoint.url, {confirm: flags.confirm, why})
      }
      const caller = await endpoint.open()
      try {
        const {signal} = context.surroundings
        const verdict =
          type === 'auth'
            ? await caller.authorise(call, {signal})
            : await caller.warmUp({signal}, theirs ?? call)
        if (signal.aborted) throw interrupted(signal)
        const {reply} = verdict
        const expected = checkAnswer(expectations, {call, verdict})
        return {
          type,
          url,
          ...(type === 'auth' && flags.data === undefined ? {scenario: scenarioOf(flags)} : {}),
          deadlineMs: caller.deadlineMs,
          ...verdict,
          request,
          ...(reply === undefined ? {} : {reply: redact(reply, {sensitive: []})}),
          ...(expected.length > 0 && {expected}),
        }
      } finally {
        caller.close()
      }
    },
  }
}

const scenarioOf = ({scenario: name = DEFAULT_SCENARIO}: CallFlags) => ({
  name,
  summary: chooseScenario(name).summary,
})

const headersOf = (
  endpoint: ChosenEndpoint,
  type: 'auth' | 'warm-up',
  call: unknown,
): Preview['headers'] => ({
  ...endpoint.headersFor(call),
  'content-type': 'application/json',
  ...(type === 'warm-up' && !endpoint.translator ? {'x-warmup': 'true'} : {}),
})

/** The call was stopped, so its outcome is unknown. */
export const interrupted = (signal: AbortSignal): Failure =>
  new Failure(codeOfSignal(signal.reason), {
    message: 'Stopped before the call was answered.',
    hint: 'The endpoint may have decided it anyway.',
  })

/** Hints for status codes. */
const HINTS: Readonly<Record<number, (url: string) => string>> = {
  401: () => 'Pass its credentials with --auth basic:REF, bearer:REF, header:NAME:REF or hmac:REF.',
  404: url => `Check the path: the call went to ${url}.`,
}

/** The failure for the exit code; undefined if everything came as expected, or without expectations for an approval. */
export function triggerFailure(result: Triggered): Failure | undefined {
  const {expected, outcome} = result
  const differs = expected?.filter(({passed}) => !passed) ?? []
  const [first] = differs
  if (expected === undefined || (first && outcome === 'unreachable')) return failureOf(result)
  if (!first) return undefined
  return new Failure('EXPECTATION_FAILED', {message: `Expected ${first.expected}, got ${first.got}.`})
}

/** The failure for an answer that is no approval. */
export function failureOf({
  outcome,
  code,
  reason,
  url,
  deadlineMs,
  status,
}: Pick<Triggered, 'outcome' | 'code' | 'reason' | 'url' | 'deadlineMs' | 'status'>): Failure | undefined {
  switch (outcome) {
    case 'approved':
    case 'partial':
    case 'ready':
      return undefined
    case 'declined':
      return new Failure('DECLINED', {message: `The endpoint declined with ${code}.`})
    case 'invalid':
      return new Failure('ANSWER_INVALID', {
        message: `The answer of the endpoint doesn't match the contract: ${reason}.`,
        hint:
          HINTS[status ?? 0]?.(url) ??
          advice`Correct the endpoint. To see what is valid: ${cardctl('webhook', 'contract')}`,
        status,
      })
    case 'late':
      return new Failure('NO_ANSWER_IN_TIME', {
        message: `The endpoint did not answer within ${deadlineMs} ms.`,
        hint: 'Check why the endpoint is slow, or allow more time with --deadline.',
      })
    case 'unreachable':
      return new Failure('CONNECTION_FAILED', {
        message: `Couldn't send the call to ${url}: ${reason}.`,
        hint: 'Check the URL. If TLS fails, pass its authorities with --ca and your client certificate with --cert.',
      })
  }
}
