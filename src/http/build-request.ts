import {honoursKey, KEY_HEADER} from '../contract/idempotency-key.ts'
import {irreversibleIn} from '../contract/marked-values.ts'
import type {AnyInput, Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import type {Target} from '../profiles/target.ts'
import {type Base, parseBase} from './base-url.ts'
import {chooseKey} from './idempotency-key.ts'
import {bodyBytes} from './request-body.ts'
import {groupPrefix, requestPath} from './request-path.ts'
import {requestQuery} from './request-query.ts'
import type {SendRequest, Surroundings} from './send-types.ts'

/** A request, ready to be sent as often as it takes; only the credentials are still missing. */
export interface BuiltRequest {
  readonly operation: Operation
  readonly origin: string
  /** `host` or `host:port`, as credentials are bound to. */
  readonly host: string
  /** Base path, prefix, path and query, as on the wire. */
  readonly path: string
  /** `PATCH /v4/DEBIT/2002`: how errors name it, without base, prefix and query. */
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  readonly key: string | undefined
  /** The same key and bytes may be sent again. */
  readonly keyed: boolean
  readonly irreversible: boolean
  /** What may be shown of a request that holds secrets outside of its body. */
  readonly shown?: {readonly path: string; readonly secretHeaders: readonly string[]}
}

/** Checks the addresses of a target before anything is sent, and finds the one for an operation. */
export function addresses(target: Target): (operation: Operation) => Base {
  const main = parseBase(target.baseUrl, 'The base URL', target.allowInsecure || target.embedded)
  const groups = new Map(
    Object.entries(target.groups).map(([group, address]) => {
      const own =
        address.baseUrl === undefined
          ? main
          : parseBase(address.baseUrl, `The base URL of the group ${group}`, target.allowInsecure)
      const prefix = target.embedded ? '' : groupPrefix(group, address.prefix)
      return [group, {...own, path: own.path + prefix}]
    }),
  )
  return operation => groups.get(operation.group) ?? main
}

function query(operation: Operation, input: AnyInput, target: Target): string {
  const wanted = operation.query.some(({name}) => name === 'auditUser')
  const given = input.query.auditUser ?? undefined
  const auditUser =
    wanted && given === undefined && target.auditUser !== '' ? {auditUser: target.auditUser} : {}
  return requestQuery({...input.query, ...auditUser})
}

/**
 * Everything of a request that doesn't change from try to try.
 *
 * @throws Failure USAGE for the key, INPUT_INVALID for what can't stand in a path or body.
 */
export function buildRequest(
  {operation, input, idempotencyKey}: SendRequest,
  target: Target,
  base: Base,
  surroundings: Pick<Surroundings, 'newKey' | 'version'>,
): BuiltRequest {
  if (operation.body === 'required' && input.body === undefined) {
    throw new Failure('CONTRACT_VIOLATION', {message: `${operation.id} needs a body.`, effect: 'none'})
  }
  const {form} = operation
  const written = form?.write(input)
  const json = written || operation.body === 'none' ? undefined : bodyBytes(input.body, target.words)
  const body = written ? written.body : json && {bytes: json, type: 'application/json'}
  const key = chooseKey(operation, idempotencyKey, surroundings.newKey)
  return {
    operation,
    origin: base.origin,
    host: base.host,
    path:
      base.path +
      (written?.target ??
        requestPath(operation.path, input.path, target.words) + query(operation, input, target)),
    title: `${operation.method} ${form ? operation.path : requestPath(operation.path, input.path, {})}`,
    headers: {
      accept: form?.accept ?? 'application/json, application/problem+json',
      // Within this process there is nothing to save by packing.
      ...(target.embedded ? {} : {'accept-encoding': 'gzip, deflate, br'}),
      ...(body === undefined ? {} : {'content-type': body.type}),
      ...written?.headers,
      'user-agent': `cardctl/${surroundings.version}`,
      ...(key === undefined ? {} : {[form?.keyHeader?.toLowerCase() ?? KEY_HEADER]: key}),
    },
    body: body?.bytes,
    key,
    keyed: honoursKey(operation, target),
    irreversible: irreversibleIn(operation, input).length > 0,
    ...(written && {
      shown: {path: base.path + written.shownTarget, secretHeaders: written.secretHeaders},
    }),
  }
}
