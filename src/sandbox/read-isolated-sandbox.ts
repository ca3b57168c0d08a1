import {checkOptions, members, must, oneOf, type Rules} from '../errors/check-options.ts'
import {Failure} from '../errors/failure.ts'
import {isLoopback} from '../network/check-url.ts'
import type {WebhookOptions} from './authorisations/endpoint-client.ts'
import {deadlineRule, endpointAddress} from './check-options.ts'
import {badRequest} from './problems.ts'

/** What the body of `POST /_sandboxes` may say. */
interface NewSandbox {
  /** By default a number. */
  readonly name?: string
  /** The endpoint to ask about authorisations, instead of that of the server. */
  readonly webhook?: Pick<WebhookOptions, 'url' | 'deadlineMs' | 'fallback'>
}

const rules: Rules<NewSandbox> = {
  name: must(
    '1 to 100 letters, digits, points, hyphens and underscores',
    value => typeof value === 'string' && /^(?!\.+$)[A-Za-z0-9._-]{1,100}$/.test(value),
  ),
  webhook: members<NonNullable<NewSandbox['webhook']>>(
    {
      url: (value, place) => {
        endpointAddress(value, place)
        // Anyone on this machine can make a sandbox, and nobody is asked about the host.
        must('https, or http on this machine', isHere)(value, place)
      },
      deadlineMs: deadlineRule,
      fallback: oneOf('approve', 'decline'),
    },
    ['url'],
  ),
}

const isHere = (value: unknown): boolean => {
  const {protocol, hostname} = new URL(String(value))
  return protocol === 'https:' || isLoopback(hostname)
}

/**
 * Reads the body of `POST /_sandboxes`.
 *
 * @param common the endpoint of the server. Its credentials go to no other scheme, host and port.
 * @throws Problem 400
 */
export function readIsolatedSandbox(
  body: unknown,
  common: WebhookOptions | undefined,
): {readonly name?: string; readonly webhook?: WebhookOptions | undefined} {
  try {
    checkOptions('POST /_sandboxes', body, rules)
  } catch (error) {
    throw error instanceof Failure ? badRequest('invalid-sandbox', error.message) : error
  }
  const {name, webhook = common} = body as NewSandbox
  const isSameOrigin = originOf(webhook) === originOf(common)
  return {
    ...(name === undefined ? {} : {name}),
    webhook: isSameOrigin && webhook ? {...common, ...webhook} : webhook,
  }
}

const originOf = (webhook: Pick<WebhookOptions, 'url'> | undefined): string | undefined =>
  URL.parse(webhook?.url ?? '')?.origin
