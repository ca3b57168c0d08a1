import type {Call} from '../../../cli/client/options.ts'
import {refuseSecretsInQuery} from '../../../cli/refuse-secrets.ts'
import {findOperation} from '../../../contract/match.ts'
import type {Effect, Group, Method, Operation} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import type {Target} from '../../../profiles/target.ts'

const EFFECTS: Readonly<Record<Method, Effect>> = {
  GET: 'read',
  HEAD: 'read',
  QUERY: 'read',
  POST: 'write',
  PATCH: 'write',
  PUT: 'write',
  DELETE: 'destroy',
}

/**
 * The call for a method and a path. If the contract knows the path, in any spelling with prefix or the service's own
 * words, it is that operation. Any other path has the effect of its method, and the checks of every operation that a service
 * may take it for: see wire-gate.ts.
 */
export function freeOperation(
  method: Method,
  pathAndQuery: string,
  {
    group,
    words,
    isAny = false,
    dialect,
  }: {
    readonly group?: Group | undefined
    readonly words: Target['words']
    readonly dialect?: Target['dialect']
    readonly isAny?: boolean
  },
): Call {
  if (!pathAndQuery.startsWith('/') || pathAndQuery.startsWith('//')) {
    throw new Failure('USAGE', {
      message: 'The path must begin with one slash: the address comes from the profile.',
      hint: 'For example: api GET /v4/3001',
    })
  }
  if (pathAndQuery.includes('#')) {
    throw new Failure('USAGE', {
      message: 'The path holds a #, and what follows it is a fragment, which is never sent.',
      hint: 'Write %23 where a # belongs to the path or the query.',
    })
  }
  const [path = '', search = ''] = pathAndQuery.split('?', 2)
  if (path.split('/').some(segment => /^(\.|%2e){1,2}$/i.test(segment))) {
    throw new Failure('USAGE', {message: 'The path may not hold a segment of dots.'})
  }
  // What a dialect maps is sent by its commands; api sends what is typed.
  const found = dialect === undefined ? findOperation(method, path, {words}) : undefined
  refuseSecretsInQuery(new URLSearchParams(search))
  const query = readQuery(search)
  if (found) return {operation: found.operation, input: {path: found.params, query}}
  return {operation: unknownOperation(method, path, group ?? 'cards', isAny), input: {path: {}, query}}
}

function readQuery(search: string): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  const params = new URLSearchParams(search)
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name)
    const [only] = values
    query[name] = values.length === 1 ? asNumber(only ?? '') : values
  }
  return query
}

/** The contract types page and size as integers; on the wire they look the same as text. */
const asNumber = (text: string): string | number => (/^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : text)

/** @param isAny its success may be something other than JSON. */
function unknownOperation(method: Method, path: string, group: Group, isAny: boolean): Operation {
  return {
    id: `${method} ${path}`,
    topic: 'api',
    group,
    method,
    path,
    prefix: '',
    summary: `${method} ${path}`,
    deprecated: false,
    effect: EFFECTS[method],
    idempotent: false,
    extension: true,
    pathParams: [],
    query: [{name: 'auditUser', required: true}],
    body: EFFECTS[method] === 'read' ? 'none' : 'optional',
    success: isAny ? [] : [200, 201, 203, 204],
    sensitive: {request: [], reply: []},
    touches: [],
    irreversible: [],
    hazards: [],
  }
}
