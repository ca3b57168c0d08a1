import {isContradicted} from './compile/choose-effect.ts'
import type {StoredContract} from './contract-file.ts'
import type {ImportedOperation} from './contract-form.ts'
import type {DocumentOperation, ImportedDocument, Schema} from './document/document.ts'

/** An imported contract in the form of a document, so that it can be compared and shown like one. */
export function documentOf(contract: StoredContract): ImportedDocument {
  const {openapi, title, version, servers} = contract.facts
  const tags = contract.tags.map(name => ({name, part: contract.tag(name)}))
  const schemas = new Map<string, Schema>()
  for (const name of contract.schemaNames) {
    const schema = contract.schema(name)
    if (schema !== undefined) schemas.set(name, schema)
  }
  return {
    openapi,
    title,
    version,
    servers,
    tags: tags.map(({name, part}) => ({
      name,
      ...(part?.description === undefined ? {} : {description: part.description}),
    })),
    securitySchemes: {},
    operations: tags.flatMap(({name: tag, part}) =>
      Object.keys(part?.operations ?? {}).flatMap(name => {
        const operation = contract.operation(tag, name)
        return operation === undefined ? [] : [described(operation)]
      }),
    ),
    schemas,
    faults: [],
    webhooks: 0,
  }
}

/** The command that sends an operation of an imported contract, by its pointer from `documentOf`. */
export const commandOfPointer = (pointer: string): string | undefined =>
  pointer.startsWith(COMMAND) ? pointer : undefined

const COMMAND = 'x '

function described(operation: ImportedOperation): DocumentOperation {
  const {tag, name, method, path, operationId, summary, description, deprecated} = operation
  const {effect, documentEffect, parameters, body, replies} = operation
  return {
    pointer: `${COMMAND}${tag} ${name}`,
    method,
    path,
    tags: [tag],
    summary,
    deprecated,
    parameters,
    ...(operationId === undefined ? {} : {operationId}),
    ...(description === undefined ? {} : {description}),
    ...(body === undefined ? {} : {body: {required: body.required, contents: [body]}}),
    replies: Object.entries(replies).map(([status, schema]) => ({
      status,
      headers: [],
      contents: [{mediaType: 'application/json', schema}],
    })),
    security: [],
    extensions: {
      'x-effect': effect,
      ...(documentEffect === undefined ? {} : {'x-document-effect': documentEffect}),
      ...(isContradicted(operation) ? {'x-contradicted': true} : {}),
    },
  }
}
