import type {AnswerMark} from '../../contract/operation.ts'
import {fieldSchemas, typesOf} from '../compile/walk-schema.ts'
import type {ImportedOperation} from '../contract-form.ts'
import {asMap, type SchemaSource} from './schema-source.ts'

/**
 * Where a response names the resource at the end of the path: in a field of the same name, or in `id` if the parameter
 * is the id of what the path lists, as in `/orders/{orderId}`. A document promises neither, so in doubt there is none:
 * a POST makes something new, and what 202 names may be a job.
 */
export function answerMark(
  {replies, otherReplies, method, path, parameters}: ImportedOperation,
  source: SchemaSource,
): AnswerMark | undefined {
  const [status, ...others] = Object.keys(replies).filter(one => one.startsWith('2'))
  if (status === undefined || others.length > 0 || otherReplies || method === 'POST') return undefined
  const [, before = '', param = ''] = /([^/]*)\/\{([^{}/]+)\}$/.exec(path) ?? []
  if (!parameters.some(({in: place, name}) => place === 'path' && name === param)) return undefined
  const schemas = asMap(source)
  const isId = (member: string): boolean =>
    fieldSchemas(replies[status], schemas).some(
      ({name, schema}) => name === member && isText(typesOf(schema, schemas)),
    )
  if (isId(param)) return {param, at: pointerTo(param), isGuess: true}
  const mayBeOther = method === 'DELETE' || status === '202' || !isIdOf(before, param)
  return mayBeOther || !isId('id') ? undefined : {param, at: '/id', isGuess: true}
}

const isText = (types: readonly string[]): boolean =>
  types.length > 0 && types.every(type => ['string', 'integer', 'number', 'null'].includes(type))

/** `id`, or `orderId` and `order_id` after `orders`. */
function isIdOf(listed: string, param: string): boolean {
  const [, noun] = /^(.*?)[_-]?id$/i.exec(param) ?? []
  if (noun === undefined) return false
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z\d]/g, '')
  const [one, many] = [plain(noun), plain(listed)]
  return one === '' || [one, `${one}s`, `${one}es`, `${one.slice(0, -1)}ies`].includes(many)
}

const pointerTo = (member: string): string => `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`
