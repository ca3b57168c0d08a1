import type {BuiltRequest} from '../http/index.ts'
import {MASK} from '../sensitive/secret.ts'

/** Parameters of a path whose values are shown nowhere. */
export interface HiddenSegments {
  /** `/sessions/{id}/pin` */
  readonly template: string
  readonly names: readonly string[]
}

/**
 * A request whose path was typed as text, without the secrets that a document or dialect knows there. What is sent stays
 * as it is.
 */
export function withoutSegments(built: BuiltRequest, hidden: readonly HiddenSegments[]): BuiltRequest {
  const known = hidden.filter(({names}) => names.length > 0)
  if (known.length === 0) return built
  const {operation, origin, path, shown, method, title} = built
  const mask = (text: string): string => known.reduce(maskedPath, text)
  const shownPath = mask(shown?.path ?? path)
  const isTyped = operation.topic === 'api'
  const name = `${method} ${mask(operation.path)}`
  return {
    ...built,
    url: origin + shownPath,
    shown: {path: shownPath, secretHeaders: shown?.secretHeaders ?? []},
    hidden: segmentsOf(path).filter((segment, at) => segment !== segmentsOf(shownPath)[at]),
    title: isTyped ? name : title,
    operation: isTyped ? {...operation, id: name, summary: name, path: mask(operation.path)} : operation,
  }
}

/** A template is compared with the end of a path. Of one that a server may read otherwise, no segment is shown. */
function maskedPath(path: string, {template, names}: HiddenSegments): string {
  const [typed = '', ...query] = path.split('?')
  const route = segmentsOf(template).filter(part => part !== '')
  const parts = segmentsOf(typed)
  const filled = parts.flatMap((part, at) => (part === '' ? [] : [at]))
  const start = filled.length - route.length
  const isPlain = start >= 0 && !/%(?:2f|5c|25)|[\\;]|\.\./i.test(typed)
  const places = filled.filter((_, at) => {
    const part = route[at - start] ?? ''
    return !isPlain || names.some(name => part.includes(`{${name}}`))
  })
  const masked = parts.map((part, at) => (places.includes(at) ? encodeURIComponent(MASK) : part))
  return [masked.join('/'), ...query].join('?')
}

const segmentsOf = (path: string): readonly string[] => (path.split('?', 1)[0] ?? '').split('/')
