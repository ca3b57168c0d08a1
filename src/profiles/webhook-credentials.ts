import {readFile} from 'node:fs/promises'
import {Failure} from '../errors/failure.ts'
import {reasonOf} from '../errors/system-reason.ts'
import type {CallCredentials} from '../network/call-credentials.ts'
import {keyProblem, type SignatureForm} from '../network/signature-defaults.ts'
import type {Secret} from '../sensitive/secret.ts'
import type {SecretReference} from './reference.ts'
import type {Secrets} from './secrets.ts'
import type {StoredWebhook} from './webhook-settings.ts'

/** What a profile says about authorisation calls, with its secrets. */
export interface ProfileWebhook {
  /** The profile that says it. */
  readonly profile: string
  readonly credentials: CallCredentials
  /** PEM. */
  readonly tls: {readonly ca?: string; readonly cert?: string; readonly key?: Secret}
  /** Hosts that may get the credentials, besides this machine. */
  readonly hosts: readonly string[]
}

/** @throws Failure SECRET_MISSING; PROFILE_INVALID for a file that can't be read. */
export async function readWebhookCredentials(
  profile: string,
  {auth, signature, tls, hosts}: StoredWebhook,
  secrets: Secrets,
): Promise<ProfileWebhook> {
  const read = (reference: SecretReference, what: string) =>
    secrets.read(reference, `the ${what} of the profile ${profile} for authorisation calls`, {profile})
  const file = async (path: string, what: string) =>
    readFile(path, 'utf8').catch((error: unknown) => {
      const message = `The ${what} of the profile ${profile}, ${path}, cannot be read: ${reasonOf(error)}.`
      throw new Failure('PROFILE_INVALID', {message, effect: 'none', cause: error})
    })
  return {
    profile,
    credentials: {
      ...(auth && {auth: await authOf(auth, read)}),
      ...(signature && {signature: await signatureOf(signature, read)}),
    },
    tls: {
      ...(tls.ca === undefined ? {} : {ca: await file(tls.ca, 'certificate authority')}),
      ...(tls.cert === undefined ? {} : {cert: await file(tls.cert, 'client certificate')}),
      ...(tls.key === undefined ? {} : {key: await read(tls.key, 'private key')}),
    },
    hosts,
  }
}

type ReadSecret = (reference: SecretReference, what: string) => Promise<Secret>

async function signatureOf(
  {key, otherKeys, preset: _, ...form}: NonNullable<StoredWebhook['signature']>,
  read: ReadSecret,
): Promise<NonNullable<CallCredentials['signature']>> {
  const keys = await Promise.all([key, ...otherKeys].map(each => read(each, 'key')))
  for (const each of keys) checkKey(each, form)
  return {...form, keys}
}

/** @throws Failure PROFILE_INVALID for a key that can't sign; it quotes nothing of it */
function checkKey(key: Secret, form: Pick<SignatureForm, 'keyEncoding'>): void {
  const problem = keyProblem(key.open(), form)
  if (problem === undefined) return
  throw new Failure('PROFILE_INVALID', {
    message: `A key that signs authorisation calls can't be used: it ${problem}.`,
    effect: 'none',
  })
}

async function authOf(
  {type, user = '', name = '', secret}: NonNullable<StoredWebhook['auth']>,
  read: ReadSecret,
): Promise<NonNullable<CallCredentials['auth']>> {
  if (type === 'basic') return {type, user, password: await read(secret, 'password')}
  if (type === 'bearer') return {type, token: await read(secret, 'token')}
  return {type, name, value: await read(secret, `value of the header ${name}`)}
}
