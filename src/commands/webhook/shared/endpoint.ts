import {randomBytes} from 'node:crypto'
import * as Flags from '@oclif/core/flags'
import {checkPair, makeCertificate, readAuthorities} from '../../../certificates/index.ts'
import {callAuthFlag, credentialsFor} from '../../../cli/call-credentials.ts'
import type {Context} from '../../../cli/context.ts'
import {durationFlag, type FlagValues} from '../../../cli/flags.ts'
import {readFlagFile} from '../../../cli/read-text.ts'
import {refuseServiceHost} from '../../../cli/service-host.ts'
import {Failure} from '../../../errors/failure.ts'
import {readReference} from '../../../profiles/index.ts'
import {maskText} from '../../../sensitive/mask-text.ts'
import {Secret} from '../../../sensitive/secret.ts'
import {isSecretName} from '../../../sensitive/secret-names.ts'
import {
  type Caller,
  type CallerOptions,
  credentialHeaders,
  openCaller,
  parseAddress,
  type Translator,
} from '../../../webhook/index.ts'
import {dialectFlag, translatorOf} from './dialect.ts'

/** Flags of commands that call an endpoint as the service does. */
export const endpointFlags = {
  to: Flags.string({
    required: true,
    helpValue: 'URL',
    summary: 'URL of the endpoint, without /auth or /warm-up.',
  }),
  deadline: durationFlag({
    default: 2000,
    helpValue: '2s',
    summary: 'How long the endpoint has for its answer (default 2s).',
  }),
  auth: callAuthFlag("Send credentials (default the profile's)."),
  dialect: dialectFlag('the service to play'),
  header: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'name:value',
    summary: 'Additional header, not a secret one; repeatable.',
  }),
  ca: Flags.string({helpValue: 'FILE', summary: 'Certificate authorities to trust at the endpoint, PEM.'}),
  cert: Flags.string({
    helpValue: 'FILE',
    dependsOn: ['cert-key'],
    summary: 'Client certificate, PEM.',
  }),
  'cert-key': Flags.string({
    helpValue: 'env:NAME|file:PATH|cmd:COMMAND',
    dependsOn: ['cert'],
    summary: 'Private key of the client certificate.',
  }),
  confirm: Flags.string({
    helpValue: 'HOST',
    summary: 'Confirm the host of the endpoint by name, if it is another machine.',
  }),
}

type EndpointFlags = FlagValues<typeof endpointFlags>

/** An endpoint from the flags: checked, but not called yet. */
export interface ChosenEndpoint {
  /** The base URL for the paths of calls. */
  readonly url: URL
  /** How the service that it plays writes calls. */
  readonly translator: Translator | undefined
  /** The headers of a call with this body, with its credentials as secrets. */
  headersFor(body: unknown): Readonly<Record<string, string | Secret>>
  open(): Promise<Caller>
}

const LONGEST_DEADLINE = 60_000

/** @throws Failure USAGE, GATE_REFUSED, SENSITIVE_IN_ARGV, SECRET_MISSING, INPUT_INVALID; nothing was sent then. */
export async function chooseEndpoint(context: Context, flags: EndpointFlags): Promise<ChosenEndpoint> {
  const {deadline: deadlineMs} = flags
  if (deadlineMs < 1 || deadlineMs > LONGEST_DEADLINE) {
    throw new Failure('USAGE', {message: '--deadline is from 1ms to 60s.'})
  }
  const url = parseAddress(flags.to, '--to')
  await refuseServiceHost(context, url)
  const translator = await translatorOf(context, flags.dialect)
  const headers = readHeaders(flags.header ?? [])
  const own = await credentialsFor(url, flags.auth, context)
  const {credentials} = own
  const tls = {...own.tls, ...(await readTls(context, flags))}
  const {now} = context.surroundings
  return {
    url,
    translator,
    headersFor: body => ({
      ...headers,
      ...secretHeaders(credentialHeaders(credentials, Buffer.from(JSON.stringify(body)), now())),
    }),
    open: async () =>
      openCaller({
        base: url,
        headers,
        tls,
        credentials,
        translator,
        deadlineMs,
        now,
        makeCertificate: tls.cert === undefined ? undefined : await certificateForger(context),
      }),
  }
}

const EXPIRED_MS = 365 * 86_400_000

/** Makes client certificates that an endpoint must refuse: nobody signed them, and one has expired, too. */
async function certificateForger({
  surroundings: {now},
}: Context): Promise<NonNullable<CallerOptions['makeCertificate']>> {
  return kind => {
    const {cert, key} = makeCertificate(
      'localhost',
      kind === 'expired' ? now() - EXPIRED_MS : now(),
      randomBytes,
    )
    return {cert, key: new Secret(key)}
  }
}

const secretHeaders = (headers: Readonly<Record<string, string>>): Record<string, Secret> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, new Secret(value)]))

/** Headers that the client sets itself. */
export const OWN_HEADERS = new Set([
  'content-type',
  'content-length',
  'transfer-encoding',
  'host',
  'connection',
])

/** @throws Failure USAGE; SENSITIVE_IN_ARGV for a header that may be a credential */
export function readHeaders(given: readonly string[], flag = '--header'): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const text of given) {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\x20-\x7e\t]*)$/.exec(text) ?? []
    if (name === '' || OWN_HEADERS.has(name.toLowerCase())) {
      throw new Failure('USAGE', {
        message: `${flag} takes name:value, and none of the headers that cardctl sets itself.`,
      })
    }
    if (isSecretName(name) || maskText(value) !== value) {
      throw new Failure('SENSITIVE_IN_ARGV', {
        message: `The header ${name} is secret, and other users can see the command line.`,
        hint: `Pass credentials with ${flag === '--header' ? '--auth' : '--forward-auth'} basic:REF, bearer:REF or header:NAME:REF.`,
      })
    }
    headers[name.toLowerCase()] = value
  }
  return headers
}

/** @param flag what the names of the flags begin with. */
export async function readTls(
  context: Context,
  {ca, cert, 'cert-key': keyReference}: Partial<Pick<EndpointFlags, 'ca' | 'cert' | 'cert-key'>>,
  flag = '--',
): Promise<{ca?: string; cert?: string; key?: Secret}> {
  if (ca === undefined && cert === undefined) return {}
  const {surroundings, printer} = context
  const own = ca === undefined ? {} : {ca: readAuthorities(await readFlagFile(`${flag}ca`, ca, surroundings))}
  if (cert === undefined || keyReference === undefined) return own
  const notify = ({message}: {message: string}) => printer.warn(message)
  const key = await readReference(keyReference, "the client certificate's key", {...surroundings, notify})
  const {text, name} = await readFlagFile(`${flag}cert`, cert, surroundings)
  checkPair({text, name}, {text: key, name: `${flag}cert-key`})
  return {...own, cert: text, key}
}
