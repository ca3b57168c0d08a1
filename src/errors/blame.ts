import {advice, type Hint} from './advice.ts'
import {type ErrorCode, errorRegistry} from './registry.ts'
import {cardctl} from './suggested-command.ts'

export interface BlameWords {
  /** What is wrong, as the beginning of a sentence. */
  readonly now: string
  /** The condition for sending again: `when …`. */
  readonly when: string
  /** What to do. The default is the hint of the code. */
  readonly hint?: Hint
}

const DOCTOR = cardctl('doctor')
const BASE_URL = cardctl('profiles', 'edit', {value: 'NAME'}, '--base-url', {value: 'URL'})

/** Who or what kept a request from its response. It is said where the fault is found, and never read from a message. */
export const blameWords = {
  service: {now: 'The service is down', when: 'when the service is up again'},
  slow: {
    now: 'The service does not respond in time',
    when: 'when the service responds in time',
    hint: errorRegistry.TIMED_OUT.hint,
  },
  'lost response': {
    now: 'The connection to the service breaks before its response',
    when: 'when the service responds again',
  },
  network: {
    now: 'There is no connection to the service',
    when: 'when the service can be reached',
    hint: errorRegistry.CONNECTION_FAILED.hint,
  },
  name: {
    now: 'The host name of the service is not known',
    when: 'when the host name is known again',
    hint: advice`Check the spelling of the base URL, and the name servers of this machine: ${DOCTOR}. If it is misspelt, correct it, and run the first command again, because what was begun belongs to the other name: ${BASE_URL}`,
  },
  'name server': {
    now: 'The host name of the service cannot be looked up',
    when: 'when host names can be looked up again',
    hint: advice`Check the network and the name servers of this machine: ${DOCTOR}`,
  },
  proxy: {
    now: 'The proxy lets nothing through',
    when: 'when the proxy lets requests through',
    hint: advice`Ask the people of the proxy, or correct the variable that the message names. To check the way: ${DOCTOR}`,
  },
  'proxy credential': {
    now: 'The proxy does not accept the user and password',
    when: 'when the proxy accepts the user and password',
    hint: 'Correct user and password in the variable that the message names; they are percent-encoded there. Otherwise ask the people of the proxy.',
  },
  CA: {
    now: 'There is no trusted TLS connection to the service',
    when: 'when its CA is trusted',
    hint: errorRegistry.TLS_FAILED.hint,
  },
  'certificate name': {
    now: 'The certificate that the service shows is for another host name',
    when: 'when the service has a certificate for the host name of the profile',
    hint: advice`Another CA does not help. Ask the people of the service for a certificate with this host name. If the base URL is wrong, correct it, and run the first command again, because what was begun belongs to the other name: ${BASE_URL}`,
  },
  'certificate time': {
    now: 'The certificate of the service is not valid now',
    when: 'when the service has a valid certificate',
    hint: advice`Another CA does not help. Compare the clock of this machine; if it is right, the service must renew its certificate. To see its times: ${DOCTOR}`,
  },
  'client certificate': {
    now: 'The service does not accept the client certificate',
    when: 'when the service accepts the client certificate',
    hint: advice`The service wants a client certificate that it trusts. See which one the profile has: ${cardctl('profiles', 'show', {value: 'NAME'})}`,
  },
  tls: {
    now: 'The TLS handshake with the service fails',
    when: 'when the TLS handshake works',
    hint: advice`Check that the port is one for https:, and what proxies on the way do with TLS: ${DOCTOR}`,
  },
  'token endpoint': {
    now: 'The token endpoint gives no token',
    when: 'when the token endpoint gives a token',
    hint: advice`Ask the people of the token endpoint, not those of the service. To try it: ${cardctl('profiles', 'test', {value: 'NAME'})}`,
  },
  redirect: {
    now: 'Something redirects the requests',
    when: 'when nothing redirects the requests any more',
    hint: advice`Find out who redirects them, the service or a login page before it: ${DOCTOR}. If the service has moved, correct its base URL: ${BASE_URL}. Then take over what was begun, which belongs to the old one: ${cardctl('requests', 'rebind')}`,
  },
  page: {
    now: 'An HTML page comes in place of the responses of the service',
    when: 'when the service itself responds',
    hint: advice`Find out what responds there, a proxy or a login page: ${DOCTOR}`,
  },
  'error inside': {
    now: 'The service reports errors inside its successes',
    when: 'when the people of the service have put the error right',
    hint: advice`Ask the people of the service what the error means, and whether such a request has an effect. If they can't put it right, record what they say of each request, effect or no-effect: ${cardctl('requests', 'resolve', {value: 'ID'}, '--found', 'effect', '--because', {value: 'REASON'})}`,
  },
  content: {
    now: 'The responses cannot be used',
    when: 'when the service itself responds',
    hint: advice`Check the base URL and the prefixes of the profile. It may come from a proxy or a login page: ${DOCTOR}`,
  },
  database: {
    now: 'The database of the team cannot be used',
    when: 'when the database can be used',
    hint: advice`Ask the people of the database, not those of the service. To check it: ${DOCTOR}`,
  },
} as const satisfies Record<string, BlameWords>

export type Blame = keyof typeof blameWords

export const isBlame = (text: string): text is Blame => Object.hasOwn(blameWords, text)

/** The words for a blame. */
export const wordsFor = (blame: Blame): BlameWords => blameWords[blame]

/** Of what the message names. */
export const PUT_RIGHT = 'when that is put right'

/** The condition for sending again, of codes that say it themselves. */
const WHEN: Readonly<Partial<Record<ErrorCode, string>>> = {
  UNAUTHENTICATED: 'when the credential is right',
  FORBIDDEN: 'when the permission is given',
  SECRET_MISSING: 'when the secret can be read',
  DISK_FULL: 'when the disk has room',
  FILE_LOCKED: 'when that process is done',
  STORE_DAMAGED: 'when the file is restored',
  STORE_UNAVAILABLE: PUT_RIGHT,
  CONFIG_UNREADABLE: PUT_RIGHT,
  OUTPUT_UNWRITABLE: 'when the file can be written',
  RATE_LIMITED: 'when the service takes requests again',
  // Of rows that were recorded without a blame.
  CONNECTION_FAILED: blameWords.network.when,
  TLS_FAILED: blameWords.CA.when,
  SERVICE_FAULT: blameWords.service.when,
  TIMED_OUT: blameWords.slow.when,
}

/** When it is of use to send again what failed so. */
export const whenOf = (code: string, blame: Blame | undefined): string | undefined =>
  blame === undefined ? WHEN[code as ErrorCode] : blameWords[blame].when
