// Writes what each command prints as JSON, as JSON Schema, from the type that its run() returns: the value that it prints.
// With --check, only compares.
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import process from 'node:process'
import ts from 'typescript'
import {commands} from '../src/commands/index.ts'
import {TypeSchemas} from './results/type-schemas.ts'

const FILE = 'src/commands/schema/shared/results.json'

const config = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
const {options} = ts.parseJsonConfigFileContent(config.config, ts.sys, '.')
const files = new Map(
  Object.keys(commands).map(id => [id.replaceAll(':', ' '), `src/commands/${id.replaceAll(':', '/')}.ts`]),
)
const program = ts.createProgram([...files.values()], {...options, noEmit: true})
const checker = program.getTypeChecker()
const schemas = new TypeSchemas(checker)

const results: Record<string, unknown> = {}
for (const [name, file] of files) {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  const command = module && checker.getExportsOfModule(module).find(({name}) => name === 'default')
  const run = command && checker.getDeclaredTypeOfSymbol(command).getProperty('run')
  const signature = run && checker.getTypeOfSymbol(run).getCallSignatures()[0]
  const result = signature && checker.getAwaitedType(signature.getReturnType())
  if (!result) throw new Error(`${file} has no run().`)
  const schema = schemas.of(result)
  // A command that returns nothing prints no JSON, or text.
  if (schema !== undefined) results[name] = schema
}

const preview = typeIn('src/http/send-types.ts', 'Preview')
results['dry-run'] = schemas.of(preview)
results.proposal = results['requests reject']
results.plan = results['plan show']

const text = `${JSON.stringify({results, $defs: schemas.definitions()}, null, 1)}\n`
if (process.argv.includes('--check')) {
  if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) {
    process.stderr.write(`${FILE} is stale: run node tools/generate-results.ts\n`)
    process.exitCode = 1
  }
} else writeFileSync(FILE, text)

function typeIn(file: string, name: string): ts.Type {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  const symbol = module && checker.getExportsOfModule(module).find(one => one.name === name)
  if (!symbol) throw new Error(`${file} has no ${name}.`)
  return checker.getDeclaredTypeOfSymbol(symbol)
}
