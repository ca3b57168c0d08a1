// Writes the pages that are made from the code: docs/exit-codes.md and docs/commands/. With --check only compares.
import {existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {dirname} from 'node:path'
import process from 'node:process'
import {errorRegistry} from '../src/errors/registry.ts'

interface Manifest {
  commands: Record<string, ManifestCommand>
}
interface ManifestCommand {
  id: string
  hidden?: boolean
  summary?: string
  description?: string
  examples?: (string | {description: string; command: string})[]
  args: Record<string, {name: string; description?: string; required?: boolean}>
  flags: Record<
    string,
    {
      name: string
      char?: string
      summary?: string
      helpGroup?: string
      helpValue?: string
      options?: string[]
      type: string
    }
  >
}

const pages = new Map<string, string>([['docs/exit-codes.md', exitCodes()], ...commandPages()])
const check = process.argv.includes('--check')
let stale = 0
for (const [path, text] of pages) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
  stale++
  if (check) {
    process.stderr.write(`${path} is stale: run node tools/generate-docs.ts\n`)
  } else {
    mkdirSync(dirname(path), {recursive: true})
    writeFileSync(path, text)
  }
}
for (const path of globSync('docs/commands/*.md')) {
  if (pages.has(path)) continue
  stale++
  if (check) process.stderr.write(`${path} belongs to no topic\n`)
  else rmSync(path)
}
process.exitCode = check && stale > 0 ? 1 : 0

function exitCodes(): string {
  const lines = [
    '# Exit codes',
    '',
    'Every failure has a stable code, printed on stderr, and an exit code.',
    '',
  ]
  lines.push('| exit | code | meaning | what to do |', '|---|---|---|---|', '| 0 | | Done | |')
  const entries = Object.entries(errorRegistry).sort(([, a], [, b]) => a.exit - b.exit)
  for (const [code, {exit, summary, hint}] of entries)
    lines.push(`| ${exit} | \`${code}\` | ${summary} | ${hint} |`)
  return `${lines.join('\n')}\n`
}

function* commandPages(): Generator<[string, string]> {
  const manifest = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as Manifest
  const byTopic = new Map<string, ManifestCommand[]>()
  for (const command of Object.values(manifest.commands)) {
    if (command.hidden) continue
    const topic = command.id.split(':')[0] ?? ''
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), command])
  }
  for (const [topic, commands] of byTopic) {
    const sections = commands.sort((a, b) => (a.id < b.id ? -1 : 1)).map(section)
    yield [`docs/commands/${topic}.md`, `# cardctl ${topic}\n\n${sections.join('\n')}`]
  }
}

function section({id, summary = '', description, examples = [], args, flags}: ManifestCommand): string {
  const words = id.replaceAll(':', ' ')
  const usage = Object.values(args).map(({name, required}) =>
    required ? name.toUpperCase() : `[${name.toUpperCase()}]`,
  )
  const lines = [`## cardctl ${words}`, '', summary, '']
  if (description) lines.push(description, '')
  lines.push('```', `cardctl ${[words, ...usage].join(' ')} [flags]`, '```', '')
  if (examples.length > 0) {
    lines.push('```sh')
    for (const example of examples) {
      if (typeof example === 'string') lines.push(render(example))
      else lines.push(`# ${example.description}`, render(example.command))
    }
    lines.push('```', '')
  }
  const own = Object.values(flags).filter(({helpGroup}) => helpGroup !== 'GLOBAL')
  if (own.length > 0) {
    lines.push('| flag | meaning |', '|---|---|')
    for (const {name, char, helpValue, type, options, summary: meaning = ''} of own.sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const value = type === 'boolean' ? '' : ` ${options?.join('|') ?? helpValue ?? 'VALUE'}`
      lines.push(
        `| \`${char ? `-${char}, ` : ''}--${name}${value}\` | ${meaning} |`.replaceAll(
          /(?<=`.*)\|(?=.*` \|)/g,
          '\\|',
        ),
      )
    }
    lines.push('')
  }
  return lines.join('\n')
}

function render(example: string): string {
  return example.replaceAll('<%= config.bin %>', 'cardctl')
}
