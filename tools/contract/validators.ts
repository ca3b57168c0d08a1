import {Ajv2020} from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import {build} from 'esbuild'
import {closeSchema, inlineSchema, openSchema} from './inline-schema.ts'
import type {Contract, Node, OperationNode} from './read-contract.ts'

/** Schemas of one topic by what they check: `ID request`, `ID 200 open`, `ID 200 closed`. */
export type NamedSchemas = Map<string, Node>

export function schemasToCompile(contract: Contract, topic: string): NamedSchemas {
  const named: NamedSchemas = new Map()
  for (const operation of contract.operations.filter(each => each.topic === topic)) {
    named.set(`${operation.id} request`, inputSchema(operation, contract))
    addResponses(named, operation, contract)
  }
  for (const webhook of topic === 'webhook' ? contract.webhooks : []) {
    const body = inlineSchema(webhook.body?.schema ?? {}, contract.components)
    named.set(`${webhook.id} request`, openSchema(body))
    named.set(`${webhook.id} request closed`, closeSchema(body))
    addResponses(named, webhook, contract)
  }
  return named
}

/** One schema for the path parameters, the query and the body of a request. */
function inputSchema({parameters, body}: OperationNode, {components}: Contract): Node {
  const place = (where: string): Node => {
    const inside = parameters.filter(parameter => parameter.in === where)
    return {
      type: 'object',
      properties: Object.fromEntries(
        inside.map(({name, schema}) => [name, inlineSchema(schema, components)]),
      ),
      required: inside.filter(({required}) => required).map(({name}) => name),
      additionalProperties: false,
    }
  }
  return {
    type: 'object',
    properties: {
      path: place('path'),
      query: place('query'),
      // The contract leaves schemas that responses share open; inside a request they are closed.
      ...(body ? {body: closeSchema(inlineSchema(body.schema, components))} : {}),
    },
    required: body?.required ? ['path', 'query', 'body'] : ['path', 'query'],
    additionalProperties: false,
  }
}

function addResponses(named: NamedSchemas, {id, replies}: OperationNode, {components}: Contract): void {
  for (const {status, schema} of replies) {
    if (!schema) continue
    const inlined = inlineSchema(schema, components)
    named.set(`${id} ${status} open`, openSchema(inlined))
    named.set(`${id} ${status} closed`, closeSchema(inlined))
  }
}

/** The schemas as one ES module that needs no Ajv: `export const validators = {[name]: validate}`. */
export async function compileValidators(named: NamedSchemas): Promise<string> {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allowUnionTypes: true,
    code: {source: true, esm: true},
    keywords: ['x-sensitive', 'x-irreversible', 'x-hazard', 'x-whole', 'x-money', 'x-open', 'x-free-text'],
  })
  addFormats.default(ajv)
  const ids = new Map<string, string>()
  const byName: [string, string][] = []
  for (const [name, schema] of named) {
    const text = JSON.stringify(schema)
    const id = ids.get(text) ?? `v${ids.size}`
    if (!ids.has(text)) ajv.addSchema(JSON.parse(text), id)
    ids.set(text, id)
    byName.push([name, id])
  }
  const source = standalone.default(ajv, Object.fromEntries([...ids.values()].map(id => [id, id])))
  const table = byName.map(([name, id]) => `${JSON.stringify(name)}: ${id}`).join(',\n')
  const {outputFiles} = await build({
    stdin: {
      contents: `${source}\nexport const validators = {\n${table}\n}`,
      resolveDir: process.cwd(),
      loader: 'js',
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minifySyntax: true,
    minifyWhitespace: true,
    // The output contains module paths, which must not depend on the location of node_modules.
    preserveSymlinks: true,
    legalComments: 'none',
  })
  const [output] = outputFiles
  if (!output) throw new Error('The validators were not bundled.')
  return output.text.replace(/export\{[^}]*\bvalidators\b[^}]*\};?\s*$/, 'export{validators};\n')
}
