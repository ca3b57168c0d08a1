// Limits what the start and each command load before they run: no heavy room or package, and a maximum of bytes.
import {existsSync, readFileSync} from 'node:fs'
import process from 'node:process'

interface Metafile {
  outputs: Record<
    string,
    {
      bytes: number
      imports: {path: string; kind: string; external?: boolean}[]
      inputs: Record<string, unknown>
    }
  >
}

const BOOT_LIMIT = 160 * 1024
const COMMAND_LIMIT = 420 * 1024
const HEAVY_PACKAGES = [
  'undici',
  'fastify',
  'yaml',
  'js-yaml',
  're2js',
  '@apidevtools/json-schema-ref-parser',
  'openapi-fetch',
  'cli-table3',
  'inquirer',
  'ajv',
  'conf',
  'jose',
  '@jmespath-community/jmespath',
  'csv-parse',
  'csv-stringify',
  '@napi-rs/keyring',
]
const HEAVY_ROOMS = [
  'src/sandbox/',
  'src/webhook/',
  'src/http/',
  'src/bulk/',
  'src/imported/document/',
  'src/contract/validators/',
  'src/contract/schemas/',
]
/** Public entries, which load their own room. */
const EXEMPT = ['dist/sandbox/index.js', 'dist/card-crypto/index.js']

const {outputs} = JSON.parse(readFileSync('.reports/meta.json', 'utf8')) as Metafile

/** Everything that an output loads through static imports: chunks and packages. */
function closureOf(entry: string): {bytes: number; packages: Set<string>; inputs: Set<string>} {
  const seen = new Set<string>()
  const packages = new Set<string>()
  const inputs = new Set<string>()
  let bytes = 0
  const visit = (path: string): void => {
    const output = outputs[path]
    if (seen.has(path) || !output) return
    seen.add(path)
    bytes += output.bytes
    for (const input of Object.keys(output.inputs)) inputs.add(input)
    for (const {path: next, kind, external} of output.imports) {
      if (kind !== 'import-statement') continue
      if (external) packages.add(next)
      else visit(next)
    }
  }
  visit(entry)
  return {bytes, packages, inputs}
}

const entries = Object.keys(outputs).filter(
  path => /^dist\/(commands\/.*|cli\/start)\.js$/.test(path) && existsSync(path) && !EXEMPT.includes(path),
)
let faults = 0
let largest = 0
for (const entry of entries) {
  const {bytes, packages, inputs} = closureOf(entry)
  const limit = entry === 'dist/cli/start.js' ? BOOT_LIMIT : COMMAND_LIMIT
  largest = Math.max(largest, bytes)
  const complain = (text: string): void => {
    faults++
    process.stderr.write(`${entry}: ${text}\n`)
  }
  if (bytes > limit) complain(`${bytes} bytes, more than the ${limit} it may have`)
  for (const name of HEAVY_PACKAGES) {
    if ([...packages].some(path => path === name || path.startsWith(`${name}/`))) complain(`loads ${name}`)
  }
  for (const room of HEAVY_ROOMS) {
    const input = [...inputs].find(path => path.startsWith(room))
    if (input) complain(`loads ${input}`)
  }
}
if (entries.length < 40) {
  faults++
  process.stderr.write(`Only ${entries.length} entries were looked at.\n`)
}
const boot = closureOf('dist/cli/start.js').bytes
process.stdout.write(`${entries.length} entries; start ${boot} bytes, largest command ${largest} bytes\n`)
process.exitCode = faults > 0 ? 1 : 0
