import {readFile} from 'node:fs/promises'
import type {Dialect} from '../dialect/index.ts'
import {Failure} from '../errors/failure.ts'
import {reasonOf} from '../errors/system-reason.ts'
import {Secret} from '../sensitive/secret.ts'
import type {StoredAuth} from './auth-settings.ts'
import {type Chosen, responsibleFor} from './choose.ts'
import {type SecretReference, storedReference} from './reference.ts'
import {referenceWords, type Secrets} from './secrets.ts'
import {isTenantHeader} from './service.ts'
import {type AuditUserPlace, auditUserPlace, type StoredService} from './service-settings.ts'
import type {StoredProfile} from './settings.ts'

/**
 * Reads a credential from the keyring, a file or a command on first use, once.
 *
 * @param limitMs how long a command may take.
 * @throws Failure SECRET_MISSING
 */
type LazySecret = (limitMs?: number) => Promise<Secret>

type WithSecrets<T> = T extends object
  ? {readonly [K in keyof T]: T[K] extends SecretReference ? LazySecret : T[K]}
  : never

/** How requests are authenticated. Secrets are functions. */
export type Auth = WithSecrets<StoredAuth>

/** TLS settings in addition to those of the system. All texts are PEM. */
export interface TargetTls {
  /** Certificate authorities to trust besides the system's. */
  readonly ca?: string
  /** The client's certificate chain, for mutual TLS. */
  readonly cert?: string
  /** The client's private key, for mutual TLS. */
  readonly key?: LazySecret
}

/** The URL of a database, whose password changes while a command runs. */
export type ChangingSecret = LazySecret & {
  /** Reads it once more. */
  readonly again: LazySecret
  /** Where it is kept, and which setting of which profile says so: never the secret itself. */
  readonly kept: string
}

/** Settings about what machines share. */
type TeamSecret = 'teamStore' | 'teamKey' | 'rateStore'

/** A resolved profile: what src/http needs to know about the service. */
export interface Target
  extends Omit<StoredProfile, 'auth' | 'tls' | 'auditUser' | 'rate' | 'webhook' | 'dialect' | TeamSecret> {
  readonly name: string
  /** The built-in sandbox: requests stay in this process. */
  readonly embedded: boolean
  /** How the service carries out our operations, if not as the contract says. */
  readonly dialect?: Dialect
  readonly auditUser: string
  /** Who is responsible for the audit user, if that is the machine that the profile declares. */
  readonly responsible?: string
  readonly auth: Auth
  readonly tls: TargetTls
  /** Headers of every request, names in lower case. Those whose values are secret are functions. */
  readonly headers?: Readonly<Record<string, string | LazySecret>>
  /** The values of secret headers that name a tenant: with others, the same request is another tenant's. */
  readonly tenant?: () => Promise<Secret>
  /** Where requests name the audit user, if not where the contract has it. */
  readonly auditUserIn?: AuditUserPlace
  /** The URL of the database of shared bulk jobs. */
  readonly teamStore?: ChangingSecret
  /** The key of shared bulk jobs. */
  readonly teamKey?: LazySecret
  /** The URL of the database that the rate is shared by. */
  readonly rateStore?: ChangingSecret
  /**
   * Hosts that credentials may go to: `host` or `host:port` in lower case, the port only if it isn't the default of the
   * scheme.
   */
  readonly hosts: readonly string[]
}

/**
 * Resolves a chosen profile for requests: reads its certificates, and wraps secrets in functions that fetch them on
 * first use.
 *
 * @throws Failure PROFILE_INVALID for a certificate file that can't be read or holds no certificate.
 */
export async function toTarget(chosen: Chosen, secrets: Secrets): Promise<Target> {
  const {name, embedded, auditUser, bid, hosts, token} = chosen
  const {
    auth,
    tls,
    rate: _,
    teamStore,
    teamKey,
    rateStore = teamStore,
    bid: _stored,
    webhook: _webhook,
    service: _service,
    dialect: _dialect,
    ...profile
  } = chosen.profile
  const responsible = responsibleFor(auditUser, profile)
  const lazy = (reference: SecretReference, what: string): ChangingSecret =>
    once(
      limitMs => secrets.read(reference, `the ${what} of the profile ${name}`, {profile: name, limitMs}),
      `${referenceWords(reference)} (${what} of the profile ${name})`,
    )
  return {
    ...profile,
    name,
    embedded,
    auditUser,
    ...(responsible === undefined ? {} : {responsible}),
    ...(bid === undefined ? {} : {bid}),
    auth: token === undefined ? authOf(auth, lazy) : {type: 'bearer', token: async () => token},
    tls: await tlsOf(chosen, lazy),
    ...addedOf(chosen.profile.service ?? {}, lazy),
    ...talkOf(chosen.profile.service),
    ...(teamStore === undefined ? {} : {teamStore: lazy(teamStore, 'teamStore')}),
    ...(teamKey === undefined ? {} : {teamKey: lazy(teamKey, 'teamKey')}),
    ...(rateStore === undefined
      ? {}
      : {rateStore: lazy(rateStore, rateStore === teamStore ? 'teamStore' : 'rateStore')}),
    hosts,
  }
}

type Lazy = (reference: SecretReference, what: string) => LazySecret

function authOf(auth: StoredAuth, lazy: Lazy): Auth {
  switch (auth.type) {
    case 'none':
      return auth
    case 'basic':
      return {...auth, password: lazy(auth.password, 'password')}
    case 'bearer':
      return {...auth, token: lazy(auth.token, 'token')}
    case 'header':
      return {...auth, value: lazy(auth.value, `value of the header ${auth.name}`)}
    case 'oauth2':
      return {...auth, clientSecret: lazy(auth.clientSecret, 'client secret')}
  }
}

/** Where a setting was found doesn't matter to requests. */
function talkOf({found: _, ...service}: StoredService = {}): Pick<Target, 'service'> {
  return Object.keys(service).length === 0 ? {} : {service}
}

/** What every request has, as the profile says. */
function addedOf(
  {headers, auditUser}: StoredService,
  lazy: Lazy,
): Pick<Target, 'headers' | 'tenant' | 'auditUserIn'> {
  const read = Object.entries(headers ?? {}).map(([name, text]) => {
    const reference = storedReference(text)
    return [
      name.toLowerCase(),
      reference === undefined ? text : lazy(reference, `value of the header ${name}`),
    ] as const
  })
  const place = auditUserPlace(auditUser)
  const tenants = read.flatMap(([name, value]) =>
    typeof value === 'string' || !isTenantHeader(name) ? [] : [[name, value] as const],
  )
  return {
    ...(headers === undefined ? {} : {headers: Object.fromEntries(read)}),
    ...(tenants.length === 0 ? {} : {tenant: () => tenantOf(tenants)}),
    ...(place === undefined ? {} : {auditUserIn: place}),
  }
}

async function tenantOf(headers: readonly (readonly [name: string, value: LazySecret])[]): Promise<Secret> {
  const found: [string, string][] = []
  for (const [name, value] of headers) found.push([name, (await value()).open()])
  return new Secret(JSON.stringify(found.sort(([a], [b]) => (a < b ? -1 : 1))))
}

async function tlsOf({name, profile: {tls}}: Chosen, lazy: Lazy): Promise<TargetTls> {
  const read = (path: string, what: string) => readCertificates(path, `${what} of the profile ${name}`)
  return {
    ...(tls.ca === undefined ? {} : {ca: await read(tls.ca, 'The certificate authority')}),
    ...(tls.cert === undefined ? {} : {cert: await read(tls.cert, 'The client certificate')}),
    ...(tls.key === undefined ? {} : {key: lazy(tls.key, 'private key')}),
  }
}

/** Only the certificates of a PEM file: some files also hold the private key. */
async function readCertificates(path: string, what: string): Promise<string> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw unusable(`${what}, ${path}, cannot be read: ${reasonOf(error)}.`, error)
  }
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g)
  if (blocks === null) throw unusable(`${what}, ${path}, holds no certificate in PEM form.`)
  return `${blocks.join('\n')}\n`
}

function unusable(message: string, cause?: unknown): Failure {
  return new Failure('PROFILE_INVALID', {message, effect: 'none', cause})
}

/** Keeps the first result. A failed call can be repeated. */
function once(read: LazySecret, kept: string): ChangingSecret {
  let result: Promise<Secret> | undefined
  const first: LazySecret = limitMs => {
    result ??= read(limitMs).catch((error: unknown) => {
      result = undefined
      throw error
    })
    return result
  }
  return Object.assign(first, {again: read, kept})
}
