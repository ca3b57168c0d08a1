import {readFile} from 'node:fs/promises'
import {encryptCardNumber} from '../card-crypto/jwe.ts'
import {type JweRecipient, readRecipientKey} from '../card-crypto/jwk.ts'
import {advice, type Hint} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl} from '../errors/suggested-command.ts'
import type {Target} from '../profiles/target.ts'
import type {Secret} from '../sensitive/secret.ts'
import {createConnections} from './connections.ts'
import {type FetchLimits, fetchWithRetry} from './fetch-with-retry.ts'
import {networkFault} from './network-fault.ts'
import {parseEndpoint} from './request-parts.ts'
import {readBody} from './response-body.ts'
import type {Surroundings} from './send-types.ts'

/** The body of the search by card number: encrypted, or clear if a profile that isn't live has no key. */
export type PanBody = {readonly encryptedData: string} | {readonly cardNumber: Secret}

const unusable = (message: string, hint?: Hint): Failure =>
  new Failure('PROFILE_INVALID', {message: `${message}; nothing was sent.`, hint, effect: 'none'})

const isUrl = (source: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(source)

async function fetchKey(
  source: string,
  target: Target,
  limits: FetchLimits,
  surroundings: Surroundings,
): Promise<string> {
  // allowInsecure is for the service. Whoever replaces this key on the way can read every card number.
  const inProcess = target.embedded && source.startsWith(`${target.baseUrl}/`)
  const endpoint = parseEndpoint(source, 'The address of the key for card numbers', inProcess)
  const pinned = target.panKey?.thumbprint !== undefined
  if (!pinned && !target.hosts.includes(endpoint.host) && !inProcess) {
    throw unusable(
      `The key for card numbers would come from ${endpoint.host}, which is not a host of the profile ${target.name}, and it is not pinned`,
      'Pin it in the profile by its thumbprint.',
    )
  }
  const connections = createConnections(target.tls, surroundings.env)
  try {
    const dispatcher =
      (inProcess ? await surroundings.dispatcher?.() : undefined) ??
      (await connections.to(endpoint.origin, {clientCertificate: target.hosts.includes(endpoint.host)}))
    const request = {
      origin: endpoint.origin,
      path: endpoint.path,
      method: 'GET',
      headers: {
        accept: 'application/jwk-set+json, application/json',
        'user-agent': `cardctl/${surroundings.version}`,
      },
    }
    const result = await fetchWithRetry(dispatcher, request, limits, surroundings)
    if (result.kind === 'failed') {
      const {code, reason} = networkFault(result.error)
      throw new Failure(code, {
        message: `The key for card numbers cannot be fetched from ${endpoint.host}: ${reason}; nothing was sent.`,
        effect: 'none',
      })
    }
    const {status} = result.response
    const body = await readBody(result.response)
    if (status !== 200)
      throw unusable(`${endpoint.host} responded with ${status} instead of the key for card numbers`)
    if (body.kind === 'json') return JSON.stringify(body.value)
    if (body.kind === 'text') return body.text
    throw unusable(`${endpoint.host} has no key for card numbers at the path in the profile`)
  } finally {
    await connections.close()
  }
}

async function readSource(source: string): Promise<string> {
  try {
    return await readFile(source, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    throw unusable(`The key for card numbers cannot be read from ${source} (${code})`)
  }
}

async function recipient(
  target: Target,
  limits: FetchLimits,
  surroundings: Surroundings,
): Promise<JweRecipient | undefined> {
  const {panKey} = target
  if (panKey === undefined) return undefined
  const {source, thumbprint} = panKey
  if (target.kind === 'live' && thumbprint === undefined && isUrl(source)) {
    throw unusable(
      `The key for card numbers of the live profile ${target.name} comes from the network and is not pinned`,
      'Pin it in the profile by its thumbprint.',
    )
  }
  const text = isUrl(source) ? await fetchKey(source, target, limits, surroundings) : await readSource(source)
  try {
    return readRecipientKey(text, {thumbprint})
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw unusable(
      `The key for card numbers of the profile ${target.name} cannot be used: ${error.message.replace(/\.$/, '')}`,
    )
  }
}

/**
 * The request body of `cards.getByNumber`: a compact JWE for the service's public key, which is read or fetched and
 * compared with the thumbprint that the profile pins. Without a key a live profile sends nothing.
 *
 * @throws Failure PROFILE_INVALID if there is no key (live) or an unusable one; the failures of the network if it can't
 * be fetched.
 */
export async function panBody(
  target: Target,
  pan: Secret,
  limits: FetchLimits,
  surroundings: Surroundings,
): Promise<PanBody> {
  const to = await recipient(target, limits, surroundings)
  if (to !== undefined) {
    return {encryptedData: await encryptCardNumber(pan, to, target.words.cardNumber)}
  }
  if (target.kind !== 'live') return {cardNumber: pan}
  throw unusable(
    `The live profile ${target.name} has no key for card numbers, which must not be sent unencrypted`,
    advice`Add the JWKS or PEM of the service to the profile: ${cardctl('profiles', 'edit', {value: 'NAME'}, '--pan-key', {value: 'FILE'})}`,
  )
}
