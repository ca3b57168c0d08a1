// Checks whether the generated files are up to date, fast enough to run whenever the sources run.
import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {globSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The sources of the contract: one file for each topic. */
export const PARTS = 'src/contract/openapi/*.yaml'
/** The contract as one document. */
export const CONTRACT = 'src/contract/openapi.gen.yaml'
export const RULES_SCHEMA = 'docs/webhook-rules.schema.json'
export const SUITE_SCHEMA = 'docs/webhook-suite.schema.json'
export const DIALECT_SCHEMA = 'docs/dialect.schema.json'
export const POLICY_SCHEMA = 'docs/policy.schema.json'

/**
 * The sources of the generated files and the code that generates them. The lock file has the versions of its packages.
 */
const INPUTS = [
  PARTS,
  'redocly.yaml',
  RULES_SCHEMA,
  SUITE_SCHEMA,
  DIALECT_SCHEMA,
  POLICY_SCHEMA,
  'tools/generate-contract.ts',
  'tools/contract/*.ts',
  'package-lock.json',
]
const OUTPUTS = [
  'src/contract/*.gen.*',
  'src/contract/{schemas,validators}/*.gen.*',
  'src/webhook/{rules,suite}/*.gen.*',
  'src/{dialect,policy}/*.gen.*',
]
/** Holds the digest of inputs and outputs at the last generation. */
const STAMP = 'src/contract/.generated'

/** Paths of the existing generated files, relative to `root`. */
export const generatedFiles = (root = ROOT): readonly string[] => globSync(OUTPUTS, {cwd: root}).sort()

function digest(root: string): string {
  const hash = createHash('sha256')
  for (const path of [...globSync(INPUTS, {cwd: root}).sort(), ...generatedFiles(root)]) {
    const content = readFileSync(join(root, path))
    hash.update(`${path} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** Records that the generated files match the current inputs. */
export function stampGenerated(root = ROOT): void {
  writeFileSync(join(root, STAMP), digest(root))
}

/** False if an input has changed since the files were generated, or a file was lost, added or edited. */
export function isFresh(root = ROOT): boolean {
  const [stamp] = globSync(STAMP, {cwd: root})
  return stamp !== undefined && readFileSync(join(root, stamp), 'utf8') === digest(root)
}

/** Generates the files if they are not up to date. */
export function ensureGenerated(): void {
  if (isFresh()) return
  const generator = join(ROOT, 'tools/generate-contract.ts')
  const {status, stderr} = spawnSync(process.execPath, [generator], {cwd: ROOT, encoding: 'utf8'})
  if (status !== 0) throw new Error(`The files made from the contract could not be generated:\n${stderr}`)
}
