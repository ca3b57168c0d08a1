import {createHmac} from 'node:crypto'
import {canonicalJson} from './canonical-json.ts'
import type {RequestStart} from './request-record.ts'
import {withoutSensitive} from './without-sensitive.ts'

/** Bodies with these parts alike have the same fingerprint; a sensitive member counts by being there, not by value. */
type Asked = Pick<RequestStart, 'method' | 'path' | 'input' | 'sensitive'>

export interface Fingerprint {
  /** In hex. */
  readonly text: string
  /** Whether something sensitive was left out, so that the input must not be kept either. */
  readonly hid: boolean
}

/** HMAC-SHA-256 under a local key: who gets hold of the journal alone can't try out bodies against it. */
export function fingerprint(key: Buffer, {method, path, input, sensitive}: Asked): Fingerprint {
  const query = withoutSensitive(input.query, [])
  const body = withoutSensitive(input.body, sensitive ?? [])
  const parts = [method, path, query.value, input.body === undefined ? [] : [body.value]]
  const text = createHmac('sha256', key).update(canonicalJson(parts)).digest('hex')
  return {text, hid: query.hid || body.hid}
}
