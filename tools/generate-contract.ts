// Writes what is generated from src/contract/openapi.yaml and the schema of rule files; with --check only says what is stale.
import {existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {dirname} from 'node:path'
import process from 'node:process'
import openapiTypescript, {astToString} from 'openapi-typescript'
import {inlineSchema} from './contract/inline-schema.ts'
import {operationsTable} from './contract/operations-table.ts'
import {type Contract, readContract} from './contract/read-contract.ts'
import {replyShapes, webhookShapes} from './contract/shapes.ts'
import {compileValidators, schemasToCompile} from './contract/validators.ts'

const CONTRACT = 'src/contract/openapi.yaml'
const FOLDER = 'src/contract'
const RULES = 'src/webhook/rules'
const BANNER = '// Generated from openapi.yaml by tools/generate-contract.ts. Not to be edited.\n'
const RULES_BANNER = BANNER.replace('openapi.yaml', 'schema.json')

const contract = readContract(readFileSync(CONTRACT, 'utf8'))
const topics = [...new Set(contract.operations.map(({topic}) => topic)), 'webhook']

const files = new Map<string, string>([
  [`${FOLDER}/operations.gen.ts`, operationsTable(contract)],
  [`${FOLDER}/reply-shapes.gen.ts`, BANNER + replyShapes(contract)],
  [`${FOLDER}/webhook-shapes.gen.ts`, BANNER + webhookShapes(contract)],
  [
    `${FOLDER}/types.gen.ts`,
    `${BANNER}${astToString(await openapiTypescript(new URL(`../${CONTRACT}`, import.meta.url)))}`,
  ],
])
for (const topic of topics) {
  files.set(
    `${FOLDER}/validators/${topic}.gen.js`,
    BANNER + (await compileValidators(schemasToCompile(contract, topic))),
  )
  files.set(
    `${FOLDER}/validators/${topic}.gen.d.ts`,
    `${BANNER}import type {Validators} from '../validator.ts'\nexport declare const validators: Validators\n`,
  )
  files.set(`${FOLDER}/schemas/${topic}.gen.json`, `${JSON.stringify(schemasOf(contract, topic))}\n`)
}
const rules = readFileSync(`${RULES}/schema.json`, 'utf8')
files.set(
  `${RULES}/validators.gen.js`,
  RULES_BANNER + (await compileValidators(new Map([['rules', JSON.parse(rules)]]))),
)
files.set(
  `${RULES}/validators.gen.d.ts`,
  `${RULES_BANNER}import type {Validators} from '../../contract/validator.ts'\nexport declare const validators: Validators\n`,
)
// The published one, for editors.
files.set('docs/webhook-rules.schema.json', rules)

const check = process.argv.includes('--check')
let stale = 0
for (const [path, text] of files) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
  stale++
  if (check) process.stderr.write(`${path} is stale: npm run generate\n`)
  else {
    mkdirSync(dirname(path), {recursive: true})
    writeFileSync(path, text)
  }
}
for (const path of globSync([`${FOLDER}/**/*.gen.*`, `${RULES}/*.gen.*`])) {
  if (files.has(path)) continue
  stale++
  if (check) process.stderr.write(`${path} is generated from nothing: npm run generate\n`)
  else rmSync(path)
}
process.exitCode = check && stale > 0 ? 1 : 0

/** Request and reply bodies by operation, for skeletons and typed fields. */
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
