import * as Flags from '@oclif/core/flags'
import {durationFlag} from '../../../cli/flags.ts'
import {parseRateWindows} from '../../../cli/rate-windows.ts'
import {Failure} from '../../../errors/failure.ts'
import type {AuthSettings, ProfileSettings, SecretInput} from '../../../profiles/index.ts'
import {Secret} from '../../../sensitive/secret.ts'

const AUTH_TYPES = ['none', 'basic', 'bearer', 'oauth2', 'header'] as const
type AuthType = (typeof AUTH_TYPES)[number]

/** What `profiles add` and `profiles edit` can set. */
export const profileFlags = {
  'base-url': Flags.string({summary: 'Address of the service, e.g. https://api.example.'}),
  kind: Flags.option({
    options: ['sandbox', 'test', 'live'] as const,
    summary: 'What stands behind it; live asks before every write.',
  })(),
  'read-only': Flags.boolean({allowNo: true, summary: 'Refuse everything but reads.'}),
  'profile-audit-user': Flags.string({aliases: ['audit-user'], summary: 'Who acts, as the service logs it.'}),
  bid: Flags.string({summary: "The issuer's customerBID for remote checkout."}),
  auth: Flags.option({options: AUTH_TYPES, summary: 'How requests are authenticated.'})(),
  user: Flags.string({summary: 'User name of basic authentication.'}),
  'header-name': Flags.string({summary: 'Name of the header, with --auth header.'}),
  'token-url': Flags.string({summary: 'Address of the token endpoint, with --auth oauth2.'}),
  'client-id': Flags.string({summary: 'Client id, with --auth oauth2.'}),
  scope: Flags.string({summary: 'Scope to ask for, with --auth oauth2.'}),
  secret: Flags.string({
    helpValue: 'env:NAME|file:PATH|cmd:COMMAND|-',
    summary:
      'Where the password, token or client secret is found; - reads it from stdin, to keep it in the keyring.',
  }),
  prefix: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'GROUP=/card',
    summary: 'Prefix of a group of operations; repeatable.',
  }),
  'group-url': Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'GROUP=URL',
    summary: 'Another address for a group; repeatable.',
  }),
  word: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'walleta=WORD',
    summary: "The service's own word for a neutral one; repeatable.",
  }),
  host: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    summary: 'A further host that may get the credentials; repeatable.',
  }),
  ca: Flags.string({helpValue: 'FILE', summary: 'Certificate authorities to trust, PEM.'}),
  cert: Flags.string({helpValue: 'FILE', summary: 'Client certificate, PEM.'}),
  'cert-key': Flags.string({
    helpValue: 'env:NAME|file:PATH|cmd:COMMAND',
    summary: "The client certificate's private key.",
  }),
  idempotency: Flags.option({
    options: ['documented', 'all'] as const,
    summary: 'Which writes honour an idempotency key.',
  })(),
  'settle-delay': durationFlag({
    summary: 'How long a request without an answer may still be running there (default 2s).',
  }),
  rate: Flags.string({
    helpValue: '50/s,3000/min',
    summary: "The customer's quota at the service, a second and a minute; --unset rate for the usual one.",
  }),
  'rate-share': Flags.string({
    helpValue: '20%',
    summary: 'How much of the quota a bulk run takes (default 100%, on live profiles 20%).',
  }),
  'allow-insecure': Flags.boolean({allowNo: true, summary: 'Allow http: to another host than this machine.'}),
  strict: Flags.boolean({
    allowNo: true,
    summary: 'Exit 8 if an answer differs from the contract, as --strict does on each command.',
  }),
  'pan-key': Flags.string({
    helpValue: 'FILE|URL',
    summary: "The service's public key for card numbers: JWKS or PEM.",
  }),
  'pan-key-thumbprint': Flags.string({summary: 'RFC 7638 thumbprint that pins that key.'}),
}

export interface ProfileFlagValues {
  readonly 'base-url'?: string | undefined
  readonly kind?: 'sandbox' | 'test' | 'live' | undefined
  readonly 'read-only'?: boolean | undefined
  readonly 'profile-audit-user'?: string | undefined
  readonly bid?: string | undefined
  readonly auth?: AuthType | undefined
  readonly user?: string | undefined
  readonly 'header-name'?: string | undefined
  readonly 'token-url'?: string | undefined
  readonly 'client-id'?: string | undefined
  readonly scope?: string | undefined
  readonly secret?: string | undefined
  readonly prefix?: string[] | undefined
  readonly 'group-url'?: string[] | undefined
  readonly word?: string[] | undefined
  readonly host?: string[] | undefined
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly 'cert-key'?: string | undefined
  readonly idempotency?: 'documented' | 'all' | undefined
  readonly 'settle-delay'?: number | undefined
  readonly rate?: string | undefined
  readonly 'rate-share'?: string | undefined
  readonly 'allow-insecure'?: boolean | undefined
  readonly strict?: boolean | undefined
  readonly 'pan-key'?: string | undefined
  readonly 'pan-key-thumbprint'?: string | undefined
}

/** The settings that the flags name. `readSecret` reads a secret that is given as itself: from stdin or a prompt. */
export async function toSettings(
  flags: ProfileFlagValues,
  authType: AuthType | undefined,
  readSecret: (what: string) => Promise<Secret<Buffer>>,
): Promise<ProfileSettings> {
  const panKey = {source: flags['pan-key'], thumbprint: flags['pan-key-thumbprint']}
  const key = flags['cert-key'] === undefined ? undefined : {reference: flags['cert-key']}
  return {
    kind: flags.kind,
    baseUrl: flags['base-url'],
    readOnly: flags['read-only'],
    auditUser: flags['profile-audit-user'],
    bid: flags.bid,
    auth: await authSettings(flags, authType, readSecret),
    groups: mergeGroups(pairs(flags.prefix, '--prefix'), pairs(flags['group-url'], '--group-url')),
    words: pairs(flags.word, '--word'),
    tls: given({ca: flags.ca, cert: flags.cert, key}),
    idempotency: flags.idempotency,
    settleDelayMs: flags['settle-delay'],
    allowInsecure: flags['allow-insecure'],
    strict: flags.strict,
    hosts: flags.host,
    panKey: given(panKey),
    rate: given({...quota(flags.rate), share: share(flags['rate-share'])}),
  }
}

/** Stands for a secret that nobody has asked for yet, to see whether the other settings fit. */
export const noSecretYet = async (): Promise<Secret<Buffer>> => new Secret(Buffer.from('-'))

type Quota = NonNullable<ProfileSettings['rate']>

function quota(text: string | undefined): Quota {
  if (text === undefined) return {}
  const rate: {perSecond?: number; perMinute?: number} = {}
  for (const {count, windowMs} of parseRateWindows(text, '--rate')) {
    if (windowMs === 1000) rate.perSecond = count
    else if (windowMs === 60_000) rate.perMinute = count
    else throw new Failure('USAGE', {message: '--rate of a profile is by the second and the minute.'})
  }
  return rate
}

function share(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, digits] = /^(\d{1,3}(?:\.\d{1,3})?)%$/.exec(text) ?? []
  const value = Number(digits) / 100
  if (value > 0 && value <= 1) return value
  throw new Failure('USAGE', {message: '--rate-share takes a part of the quota, such as 20%.'})
}

const SECRET_OF = {basic: 'password', bearer: 'token', header: 'value', oauth2: 'clientSecret'} as const
const SECRET_WORDS = {
  password: 'Password',
  token: 'Token',
  value: 'Header value',
  clientSecret: 'Client secret',
} as const

async function authSettings(
  flags: ProfileFlagValues,
  type: AuthType | undefined,
  readSecret: (what: string) => Promise<Secret<Buffer>>,
): Promise<AuthSettings | undefined> {
  const settings: AuthSettings = {
    type: flags.auth,
    user: flags.user,
    name: flags['header-name'],
    tokenUrl: flags['token-url'],
    clientId: flags['client-id'],
    scope: flags.scope,
  }
  const isNew = flags.auth !== undefined && flags.auth !== 'none'
  if (type === undefined || type === 'none') {
    if (flags.secret !== undefined)
      throw new Failure('USAGE', {message: '--secret needs --auth basic, bearer, oauth2 or header.'})
    return given(settings)
  }
  const member = SECRET_OF[type]
  if (flags.secret === undefined && !isNew) return given(settings)
  return {...settings, [member]: await secretInput(flags.secret, SECRET_WORDS[member], readSecret)}
}

async function secretInput(
  flag: string | undefined,
  what: string,
  readSecret: (what: string) => Promise<Secret<Buffer>>,
): Promise<SecretInput> {
  if (flag !== undefined && flag !== '-') return {reference: flag}
  const bytes = await readSecret(what)
  const value = new Secret(bytes.open().toString('utf8'))
  bytes.wipe()
  return {value}
}

function pairs(texts: readonly string[] | undefined, flag: string): Record<string, string> | undefined {
  if (texts === undefined) return undefined
  return Object.fromEntries(
    texts.map(text => {
      const at = text.indexOf('=')
      if (at < 1) throw new Failure('USAGE', {message: `${flag} takes NAME=VALUE.`})
      return [text.slice(0, at), text.slice(at + 1)]
    }),
  )
}

function mergeGroups(
  prefixes: Record<string, string> | undefined,
  urls: Record<string, string> | undefined,
): Record<string, {prefix?: string; baseUrl?: string}> | undefined {
  if (prefixes === undefined && urls === undefined) return undefined
  const groups: Record<string, {prefix?: string; baseUrl?: string}> = {}
  for (const [group, prefix] of Object.entries(prefixes ?? {})) groups[group] = {prefix}
  for (const [group, baseUrl] of Object.entries(urls ?? {})) groups[group] = {...groups[group], baseUrl}
  return groups
}

/** The object if any member of it is there. */
function given<T extends object>(settings: T): T | undefined {
  return Object.values(settings).some(value => value !== undefined) ? settings : undefined
}
