import {globSync, readFileSync} from 'node:fs'
import openapiTypescript, {astToString} from 'openapi-typescript'
import ts from 'typescript'
import {bundleContract} from './bundle.ts'
import {CONTRACT, DIALECT_SCHEMA, PARTS, POLICY_SCHEMA, RULES_SCHEMA, SUITE_SCHEMA} from './generated.ts'
import {inlineSchema} from './inline-schema.ts'
import {lintContract, lintParts, placed} from './lint.ts'
import {operationsTable} from './operations-table.ts'
import {type Contract, readContract} from './read-contract.ts'
import {responseShapes, webhookShapes} from './shapes.ts'
import {compileValidators, schemasToCompile} from './validators.ts'
import {responseCodes, webhookDocument} from './webhook-document.ts'

const FOLDER = 'src/contract'
const BANNER = '// Generated from src/contract/openapi/ by tools/generate-contract.ts. Not to be edited.\n'
/** Files that users write, each with a published schema. */
const FILES_OF_USERS = [
  {folder: 'src/webhook/rules', name: 'rules', schema: RULES_SCHEMA},
  {folder: 'src/webhook/suite', name: 'suite', schema: SUITE_SCHEMA},
  {folder: 'src/dialect', name: 'dialect', schema: DIALECT_SCHEMA},
  {folder: 'src/policy', name: 'policy', schema: POLICY_SCHEMA},
]

/** What our own rules find in the contract, one sentence each. */
export class ContractFaults extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** The texts of the generated files, by path. @throws ContractFaults */
export async function generate(): Promise<ReadonlyMap<string, string>> {
  const document = bundleContract()
  const contract = readContract(document)
  const parts = new Map(globSync(PARTS).map(path => [path, readFileSync(path, 'utf8')]))
  const faults = [...lintContract(contract), ...lintParts(parts, contract)]
  if (faults.length > 0) throw new ContractFaults(faults.map(fault => placed(fault, parts)))
  const topics = [...new Set(contract.operations.map(({topic}) => topic)), 'webhook']

  const files = new Map<string, string>([
    [CONTRACT, document],
    [`${FOLDER}/operations.gen.ts`, BANNER + operationsTable(contract)],
    [`${FOLDER}/response-shapes.gen.ts`, BANNER + responseShapes(contract)],
    [`${FOLDER}/webhook-shapes.gen.ts`, BANNER + webhookShapes(contract)],
    [`${FOLDER}/response-codes.gen.ts`, BANNER + responseCodes(contract)],
    [`${FOLDER}/schemas/webhook-document.gen.json`, `${JSON.stringify(webhookDocument(contract))}\n`],
    [`${FOLDER}/topics.gen.ts`, BANNER + loadersOf(topics)],
    [`${FOLDER}/types.gen.ts`, BANNER + (await types(document))],
  ])
  for (const topic of topics) {
    files.set(
      `${FOLDER}/validators/${topic}.gen.js`,
      BANNER + (await compileValidators(schemasToCompile(contract, topic))),
    )
    files.set(`${FOLDER}/validators/${topic}.gen.d.ts`, BANNER + declaration('../validator.ts'))
    files.set(`${FOLDER}/schemas/${topic}.gen.json`, `${JSON.stringify(schemasOf(contract, topic))}\n`)
  }
  for (const {folder, name, schema} of FILES_OF_USERS) {
    const banner = BANNER.replace('src/contract/openapi/', schema)
    const named = new Map([[name, JSON.parse(readFileSync(schema, 'utf8'))]])
    files.set(`${folder}/validators.gen.js`, banner + (await compileValidators(named)))
    files.set(
      `${folder}/validators.gen.d.ts`,
      banner + declaration(`${'../'.repeat(folder.split('/').length - 1)}contract/validator.ts`),
    )
  }
  const rules = readFileSync(RULES_SCHEMA, 'utf8')
  const rulesBanner = BANNER.replace('src/contract/openapi/', RULES_SCHEMA)
  files.set('src/webhook/rules/types.gen.ts', rulesBanner + (await fileTypes(rules)))
  return files
}

/** Loads the validators and schemas of a topic on first use. */
const loadersOf = (topics: readonly string[]): string => `export const loaders = {
${topics
  .map(
    topic => `  ${topic}: {
    validators: () => import('./validators/${topic}.gen.js'),
    schemas: () => import('./schemas/${topic}.gen.json', {with: {type: 'json'}}),
  },`,
  )
  .join('\n')}
}
`

const declaration = (validator: string): string =>
  `import type {Validators} from '${validator}'\nexport declare const validators: Validators\n`

/** Types of operations, webhooks and components. Leaves out `paths`, which only repeats the operations. */
async function types(document: string): Promise<string> {
  const nodes = await openapiTypescript(document)
  return astToString(nodes.filter(node => !(ts.isInterfaceDeclaration(node) && node.name.text === 'paths')))
}

/** Types of a file that users write: `components['schemas'].file`, and its definitions beside it. */
async function fileTypes(text: string): Promise<string> {
  const {$defs, $schema: _, ...file} = JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/'))
  const document = {
    openapi: '3.1.0',
    info: {title: '', version: ''},
    paths: {},
    components: {schemas: {file, ...$defs}},
  }
  const nodes = await openapiTypescript(document, {immutable: true})
  return astToString(nodes.filter(node => ts.isInterfaceDeclaration(node) && node.name.text === 'components'))
}

/** Bodies of requests and responses by operation, for skeletons and typed fields. */
function schemasOf({operations, webhooks, components}: Contract, topic: string) {
  const requests: Record<string, unknown> = {}
  const replies: Record<string, unknown> = {}
  for (const {id, body, replies: all} of [...operations, ...webhooks].filter(each => each.topic === topic)) {
    if (body) requests[id] = inlineSchema(body.schema, components)
    const success = all.find(({status}) => /^2/.test(status))
    if (success?.schema) replies[id] = inlineSchema(success.schema, components)
  }
  return {requests, replies}
}
