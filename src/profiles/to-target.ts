import {readFile} from 'node:fs/promises'
import {Failure} from '../errors/failure.ts'
import {reasonOf} from '../errors/system-reason.ts'
import type {Secret} from '../sensitive/secret.ts'
import type {Chosen} from './choose.ts'
import type {SecretReference} from './reference.ts'
import type {Secrets} from './secrets.ts'
import type {StoredAuth} from './stored-profile.ts'
import type {Auth, Target, TargetTls} from './target.ts'

/**
 * The wire's view of a chosen profile: certificates read, secrets as functions that fetch on first use.
 *
 * @throws Failure PROFILE_INVALID for a certificate file that cannot be read or holds none.
 */
export async function toTarget(chosen: Chosen, secrets: Secrets): Promise<Target> {
  const {name, profile, bid} = chosen
  const lazy = (reference: SecretReference, member: string): (() => Promise<Secret>) =>
    once(() => secrets.read(reference, `the ${member} of the profile ${name}`))
  return {
    name,
    kind: profile.kind,
    embedded: chosen.embedded,
    readOnly: profile.readOnly,
    baseUrl: profile.baseUrl,
    groups: profile.groups,
    words: profile.words,
    auditUser: chosen.auditUser,
    ...(bid === undefined ? {} : {bid}),
    auth: authOf(profile.auth, chosen.token, lazy),
    tls: await tlsOf(chosen, lazy),
    idempotency: profile.idempotency,
    settleDelayMs: profile.settleDelayMs,
    allowInsecure: profile.allowInsecure,
    strict: profile.strict,
    hosts: chosen.hosts,
    ...(profile.panKey === undefined ? {} : {panKey: profile.panKey}),
  }
}

type Lazy = (reference: SecretReference, member: string) => () => Promise<Secret>

function authOf(auth: StoredAuth, token: Secret | undefined, lazy: Lazy): Auth {
  if (token !== undefined) return {type: 'bearer', token: async () => token}
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

async function tlsOf({name, profile: {tls}}: Chosen, lazy: Lazy): Promise<TargetTls> {
  const read = (path: string, what: string) => readCertificates(path, `${what} of the profile ${name}`)
  return {
    ...(tls.ca === undefined ? {} : {ca: await read(tls.ca, 'The certificate authority')}),
    ...(tls.cert === undefined ? {} : {cert: await read(tls.cert, 'The client certificate')}),
    ...(tls.key === undefined ? {} : {key: lazy(tls.key, 'private key')}),
  }
}

/** The certificates of a PEM file and nothing else: some files hold the private key beside them. */
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

/** Calls once; a call that failed may be tried again. */
function once(read: () => Promise<Secret>): () => Promise<Secret> {
  let result: Promise<Secret> | undefined
  return () => {
    result ??= read().catch((error: unknown) => {
      result = undefined
      throw error
    })
    return result
  }
}
