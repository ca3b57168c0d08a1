import type {Operation, RequestForm, RowForm} from '../../contract/operation.ts'
import type {Shape} from '../../contract/shape.ts'
import type {BodyDifference} from '../../contract/violation.ts'
import {fieldSchemas, typesOf} from '../compile/walk-schema.ts'
import type {ImportedOperation} from '../contract-form.ts'
import {answerMark} from './answer-mark.ts'
import {checkInput, checkResponse} from './check.ts'
import {isOwnError} from './own-error.ts'
import {digestOf} from './row-form.ts'
import {asMap, type SchemaSource} from './schema-source.ts'
import {writeRequest} from './write-request.ts'

interface OperationUse {
  readonly handsOut: boolean
  readonly digest: () => string
  /** For the rows of a file. */
  readonly rows?: RowForm
  readonly readBack?: RequestForm['readBack']
}

/** Converts an imported operation to the form that requests are built from. */
export function toOperation(
  imported: ImportedOperation,
  source: SchemaSource,
  {handsOut, digest, rows, readBack}: OperationUse,
): Operation {
  const {
    id,
    method,
    path,
    summary,
    deprecated,
    effect,
    documentEffect,
    parameters,
    body,
    sensitive,
    ids,
    personal,
    keyHeader,
  } = imported
  const form: RequestForm = {
    write: (input, arrays) => writeRequest(imported, input, source, arrays),
    check: input => checkInput(imported, input, source, rows && (({name}) => name)),
    checkResponse: async (status, reply) => [
      ...statusDifferences(imported, status),
      ...(await checkResponse(imported, status, reply, source)),
    ],
    lists: status => successesOf(imported).some(one => isStatus(one, status)),
    isOwnError: (status, reply) => isOwnError(imported, status, reply, source),
    responseShape: responseShape(imported, source),
    keyHeader,
    digest: () => digestOf(imported, source),
    accept: imported.accept,
    credentials: imported.credentials ?? {},
    handsOut,
    ...(rows && {rows}),
    ...(readBack && {readBack}),
  }
  const answers = answerMark(imported, source)
  const hidden = parameters.filter(one => one.in === 'path' && (one.sensitive || one.personal))
  const inPath = parameters.flatMap(one => (one.in === 'path' && one.personal ? [one.name] : []))
  return {
    id,
    topic: 'x',
    group: 'imported',
    method,
    path,
    prefix: '',
    summary,
    deprecated,
    effect,
    ...(documentEffect === undefined
      ? {}
      : {loosened: {from: documentEffect, to: effect, document: digest()}}),
    // A document that describes the header of a key also promises that the service honours it.
    idempotent: keyHeader !== undefined,
    extension: true,
    pathParams: parameters.filter(({in: place}) => place === 'path').map(({name}) => name),
    query: parameters.flatMap(({in: place, name, required, sensitive: isSecret}) =>
      place === 'query' && !isSecret ? [{name, required}] : [],
    ),
    body: body === undefined ? 'none' : body.required ? 'required' : 'optional',
    success: imported.otherReplies ? [] : [200, 201, 202, 203, 204],
    ...(answers && {answers}),
    sensitive,
    ...(ids && {ids}),
    ...((personal || inPath.length > 0) && {personal: {request: [], reply: [], ...personal, path: inPath}}),
    ...(hidden.length > 0 && {hiddenPath: hidden.map(({name}) => name)}),
    touches: [],
    irreversible: [],
    hazards: [],
    form,
  }
}

const successesOf = ({successes, replies}: ImportedOperation): readonly string[] =>
  successes ?? Object.keys(replies).filter(status => status.startsWith('2'))

const isStatus = (listed: string, status: number): boolean =>
  listed === String(status) || listed === `${Math.floor(status / 100)}XX`

/** What a success of another status than the document lists differs in. */
function statusDifferences(imported: ImportedOperation, status: number): readonly BodyDifference[] {
  const listed = successesOf(imported)
  if (listed.length === 0 || listed.some(one => isStatus(one, status))) return []
  const problem = `is ${status}, not ${listed.join(' or ')}`
  return [{pointer: '', message: `the status ${problem}`, problem}]
}

/** The kind of JSON that proves a success; undefined unless every success is JSON of one kind. */
function responseShape(
  {replies, otherReplies, method}: ImportedOperation,
  source: SchemaSource,
): Shape | undefined {
  const name = Object.keys(replies).find(status => status.startsWith('2'))
  if (name === undefined || otherReplies || method === 'HEAD') return undefined
  const [type, ...others] = typesOf(replies[name], asMap(source))
  if (others.length > 0) return undefined
  if (type === 'array') return {items: 'unknown'}
  if (type !== 'object') return undefined
  const members = fieldSchemas(replies[name], asMap(source))
  return {members: new Map(members.map(({name: member}) => [member, 'unknown']))}
}
