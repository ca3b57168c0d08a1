import type {Operation} from './operation.ts'

/** The request header of an idempotency key, as the contract describes it. */
export const KEY_HEADER = 'x-idempotency-key'

/** The service sets this header on a replayed response. */
export const REPLAYED_HEADER = 'x-idempotent-replayed'

/** Whether cardctl sends a key with the operation: a write by POST or PATCH. */
export function takesKey({effect, method}: Pick<Operation, 'effect' | 'method'>): boolean {
  return (effect === 'write' || effect === 'destroy') && (method === 'POST' || method === 'PATCH')
}

interface KeySettings {
  readonly idempotency: 'documented' | 'all'
  /** The header of keys, if the service doesn't take them where its contract says. */
  readonly idempotencyHeader?: string | undefined
  readonly dialect?:
    | {honours(id: string, profileHeader?: string): boolean; carriesKey(id: string): boolean}
    | undefined
}

/**
 * The header that carries the key of an operation, in lower case: the profile's, else the one that the imported document
 * describes, else the contract's.
 */
export const keyHeaderOf = (
  {form}: Pick<Operation, 'form'>,
  {idempotencyHeader}: Pick<KeySettings, 'idempotencyHeader'>,
): string => (idempotencyHeader ?? form?.keyHeader ?? KEY_HEADER).toLowerCase()

/**
 * Whether the service honours the key, so that a retry with the same key and bytes has no second effect.
 *
 * @param settings of the profile: `documented` trusts the contract's mark, `all` trusts every write.
 */
export function honoursKey(
  operation: Pick<Operation, 'id' | 'effect' | 'method' | 'idempotent' | 'form'>,
  settings: KeySettings,
): boolean {
  if (operation.effect !== 'write' || !takesKey(operation)) return false
  const {dialect, idempotency, idempotencyHeader} = settings
  // What the contract documents is of another service.
  if (dialect !== undefined && operation.form === undefined) {
    const isSent = idempotencyHeader !== undefined || dialect.carriesKey(operation.id)
    return dialect.honours(operation.id, idempotencyHeader) || (idempotency === 'all' && isSent)
  }
  if (idempotency === 'all') return true
  // A document promises nothing for another header than the one that it describes.
  const described = operation.form?.keyHeader?.toLowerCase()
  return operation.idempotent && (described === undefined || described === keyHeaderOf(operation, settings))
}
