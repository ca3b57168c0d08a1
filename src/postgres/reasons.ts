import {Failure} from '../errors/failure.ts'

/** What to do about who holds a lock. */
export const END_HOLDER =
  'Let that transaction end, or end it with SELECT pg_terminate_backend(PROCESS), then try again.'

const UNKNOWN_AUTHORITY = 'its certificate is from an unknown authority'
const NOT_AS_MADE = 'its tables are not as a release of cardctl makes them'
const POOLED = 'a pooler in between gives each transaction another session'

/** What a server with `target_session_attrs=read-write` must not be, and the code of a write that it refuses. */
export const READ_ONLY = '25006'

/** Reasons by SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) or the system's code. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'unknown host',
  ENOENT: 'there is no such socket',
  ETIMEDOUT: 'it does not answer',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it asks for a client certificate',
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: 'it refuses the client certificate, which has expired',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'it refuses the client certificate, whose authority it does not know',
  [READ_ONLY]: 'it only takes reads, as a standby does',
  // A pooler began to share sessions while connections were open.
  '26000': POOLED,
  '42P05': POOLED,
  '28P01': 'the password is wrong',
  '28000': 'the user may not connect',
  '3D000': 'there is no such database',
  '40001': 'too many transactions changed the same rows',
  '40P01': 'too many transactions waited for each other',
  '42501': 'the user lacks a permission',
  '42703': NOT_AS_MADE,
  '42883': NOT_AS_MADE,
  '42P01': 'its tables are missing',
  '3F000': 'its tables are missing',
  '53100': 'its disk is full',
  '53300': 'it has too many connections',
  '55P03': 'another process holds the lock',
  '57014': 'a statement took too long',
  '57P01': 'it is shutting down',
  '57P03': 'it is starting up or shutting down',
}

/** Why a database cannot be used, by its code. */
export const databaseReasons: Readonly<Record<string, string>> = REASONS

/** Why there is no connection, where the driver's error doesn't say it. */
export class ConnectionError extends Error {
  /** As `codeOf`. */
  readonly code: string
  readonly why: string
  /** Where the URL is kept that led to no connection, in words. */
  readonly kept: string | undefined

  constructor(code: string, why: string, cause: unknown, kept?: string) {
    super(why, {cause})
    this.code = code
    this.why = why
    this.kept = kept
  }
}

/** Others hold what a statement waits for. */
export class HeldError extends ConnectionError {
  constructor(why: string, cause: unknown) {
    super('', why, cause)
  }
}

/** The SQLSTATE or the system's code; empty if there is none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** An SQLSTATE. Those of the system, such as EPIPE, begin with E. */
const SQLSTATE = /^(?!E)[0-9A-Z]{5}$/

/** Whether the database itself said no. Otherwise, the connection broke and nobody knows what it did. */
export const isAnswered = (error: unknown): boolean =>
  SQLSTATE.test(codeOf(error)) && !/^(57P0[1-3]|08)/.test(codeOf(error))

/** Whether other credentials, or other files of TLS, might help. */
export const isRefused = (error: unknown): boolean =>
  /^28(P01|000)$|^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/.test(codeOf(error))

/** Whether a transaction changed nothing because others were first: serialization failure, deadlock. */
export const isOvertaken = (error: unknown): boolean => /^40(001|P01)$/.test(codeOf(error))

/** Why a database can't be used, in a few words without anything of the statement. */
export function whyUnusable(error: unknown): string {
  if (error instanceof ConnectionError) return error.why
  const code = codeOf(error)
  if (code !== '')
    return (
      REASONS[code] ??
      (SQLSTATE.test(code) ? `it refuses a statement (SQLSTATE ${code})` : `the connection broke (${code})`)
    )
  // The driver has no codes for these.
  const message = error instanceof Error ? error.message : ''
  if (/timeout/.test(message)) return 'it does not answer'
  return /does not support SSL/.test(message) ? 'it has no TLS' : 'the connection broke'
}

function hintFor(error: unknown): string | undefined {
  if (error instanceof HeldError) return END_HOLDER
  const kept = error instanceof ConnectionError ? error.kept : undefined
  return kept && `Check the database server and the URL in ${kept}.`
}

/**
 * For `Schema.unusable`: what an error of a database becomes, without anything of the statement. Returns
 * CONNECTION_FAILED, or a Failure as it is.
 *
 * @param of what the database has, such as `shared jobs`.
 * @param consequence what follows from that, as a sentence.
 */
export const cannotUse =
  ({of, consequence, hint}: {readonly of: string; readonly consequence: string; readonly hint: string}) =>
  (shown: string, error: unknown): Failure =>
    error instanceof Failure
      ? error
      : new Failure('CONNECTION_FAILED', {
          message: `Can't use the database of ${of}, ${shown}: ${whyUnusable(error)}. ${consequence}`,
          hint: hintFor(error) ?? hint,
          blame: 'database',
          effect: 'none',
          cause: error,
        })
