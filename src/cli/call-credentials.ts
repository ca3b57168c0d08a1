import * as Flags from '@oclif/core/flags'
import {advice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import type {CallAuth, CallCredentials} from '../network/call-credentials.ts'
import {isLoopback} from '../network/check-url.ts'
import {
  keyProblem,
  SIGNATURE_DEFAULTS,
  SIGNATURE_PRESETS,
  type SignatureForm,
} from '../network/signature-defaults.ts'
import {type ProfileWebhook, readReference} from '../profiles/index.ts'
import {Secret} from '../sensitive/secret.ts'
import type {Context} from './context.ts'

const FORMS = 'basic:REF, bearer:REF, header:NAME:REF, hmac:REF, standard-webhooks:REF, profile or none'

/** A flag for the credentials of authorisation calls. @param purpose is the start of its help. */
export const callAuthFlag = (purpose: string, dependsOn: readonly string[] = []) =>
  Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'basic:REF|bearer:REF|header:NAME:REF|hmac:REF|standard-webhooks:REF|profile|none',
    summary: `${purpose} REF is env:NAME, file:PATH or cmd:COMMAND and leads to user:password, the token, the value or the key. Repeatable; of several keys the first signs.`,
    dependsOn: [...dependsOn],
  })

/**
 * The credentials of authorisation calls from a flag. A signature has the form that the profile sets, or else the
 * default one.
 *
 * @throws Failure USAGE, SENSITIVE_IN_ARGV, SECRET_MISSING; none of them quotes a value.
 */
export async function readCallAuth(
  texts: readonly string[],
  {surroundings, printer}: Context,
  {flag = '--auth', profile}: {readonly flag?: string; readonly profile?: ProfileWebhook | undefined} = {},
): Promise<CallCredentials> {
  const notify = ({message}: {message: string}) => printer.warn(message)
  const auths: CallAuth[] = []
  const keys: Secret[] = []
  let form: SignatureForm = {...SIGNATURE_DEFAULTS, ...profile?.credentials.signature}
  for (const text of texts) {
    if (text === 'none' && texts.length === 1) return {}
    const [, scheme, name, reference] =
      /^(?:(basic|bearer|hmac|standard-webhooks)|header:([\w!#$%&'*+.^`|~-]+)):(.+)$/s.exec(text) ?? []
    if (reference === undefined) throw new Failure('USAGE', {message: `${flag} takes ${FORMS}.`})
    const secret = await readReference(reference, `the credential of ${flag}`, {...surroundings, notify})
    if (scheme === 'standard-webhooks') form = SIGNATURE_PRESETS[scheme]
    if (scheme === 'hmac' || scheme === 'standard-webhooks') keys.push(secret)
    else if (scheme === 'basic') auths.push(basicOf(secret, flag))
    else auths.push(scheme === 'bearer' ? {type: scheme, token: secret} : headerOf(name ?? '', secret))
  }
  const [auth, second] = auths
  if (second) {
    const message = `${flag} takes one of basic, bearer and header, and besides it hmac.`
    throw new Failure('USAGE', {message})
  }
  const problem = keys.map(key => keyProblem(key.open(), form)).find(one => one !== undefined)
  if (problem !== undefined)
    throw new Failure('USAGE', {message: `${flag}: a key can't be used: it ${problem}.`, effect: 'none'})
  return {...(auth && {auth}), ...(keys.length > 0 && {signature: {...form, keys}})}
}

function basicOf(secret: Secret, flag: string): CallAuth {
  const [user, ...rest] = secret.open().split(':')
  if (user && rest.length > 0) return {type: 'basic', user, password: new Secret(rest.join(':'))}
  throw new Failure('USAGE', {
    message: `${flag} basic: the reference must lead to user:password. The colon or the user is missing.`,
  })
}

/** Headers that a request has anyway. */
const OWN_HEADERS = new Set(
  'connection content-length content-type expect host transfer-encoding upgrade'.split(' '),
)

function headerOf(name: string, value: Secret): CallAuth {
  if (!OWN_HEADERS.has(name.toLowerCase())) return {type: 'header', name, value}
  throw new Failure('USAGE', {message: `${name} can't carry a credential, because every request has it.`})
}

/** What proves who sends a call, and by which certificates. */
export interface SentCredentials {
  readonly credentials: CallCredentials
  /** PEM. */
  readonly tls: ProfileWebhook['tls']
}

/**
 * The credentials for calls to an endpoint: those of the flag, or else those of the profile. The profile's go only to
 * this machine, and to the hosts that the profile names.
 *
 * @throws Failure as readCallAuth; PROFILE_INVALID for an endpoint that the profile doesn't name.
 */
export async function credentialsFor(
  url: URL,
  texts: readonly string[] | undefined,
  context: Context,
  flag = '--auth',
): Promise<SentCredentials> {
  const profile = await profileWebhook(context, texts)
  if (!isProfile(texts)) return {credentials: await readCallAuth(texts, context, {flag, profile}), tls: {}}
  if (profile === undefined) return {credentials: {}, tls: {}}
  if (!isLoopback(url.hostname) && !profile.hosts.includes(url.host)) {
    throw new Failure('PROFILE_INVALID', {
      message: `The credentials of the profile ${profile.profile} for authorisation calls are not meant for ${url.host}; nothing was sent.`,
      hint: advice`Pass ${flag} none, or add the host: ${cardctl('profiles', 'edit', {value: profile.profile}, '--webhook-host', {value: url.host})}`,
      effect: 'none',
    })
  }
  return {credentials: profile.credentials, tls: profile.tls}
}

/** The credentials that every call must have which comes to a listener. */
export async function credentialsOfCallers(
  texts: readonly string[] | undefined,
  context: Context,
): Promise<CallCredentials> {
  const profile = await profileWebhook(context, texts)
  return isProfile(texts) ? (profile?.credentials ?? {}) : readCallAuth(texts, context, {profile})
}

/** Whether a flag leaves the credentials to the profile. */
const isProfile = (texts: readonly string[] | undefined): texts is undefined =>
  texts === undefined || (texts.length === 1 && texts[0] === 'profile')

/** The profile says how a signature looks, so a key by flag needs it too. */
async function profileWebhook(
  context: Context,
  texts: readonly string[] | undefined,
): Promise<ProfileWebhook | undefined> {
  const needsForm = isProfile(texts) || texts.some(text => text.startsWith('hmac:'))
  return needsForm ? context.service.webhook() : undefined
}
