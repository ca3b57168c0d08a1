import {findOperation, type Match} from '../contract/match.ts'
import {Problem} from './problems.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * The operation that a method and a path mean.
 * @param prefixes whether paths may begin with the prefix of their group.
 * @throws Problem 404, or 405 when only the method is wrong.
 */
export function resolveOperation(method: string, path: string, prefixes: boolean): Match {
  const found = findOperation(method, path, {prefixes})
  if (found) return found
  const allow = METHODS.filter(other => findOperation(other, path, {prefixes}) !== undefined).join(', ')
  if (allow !== '') {
    throw new Problem(405, 'method-not-allowed', 'Method not allowed', `This path takes ${allow}.`, {allow})
  }
  throw new Problem(404, 'operation-not-found', 'No such operation', 'No operation has this path.')
}
