import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {ROOT} from '../package-files.ts'

/** A page of docs/ that comes with the program. */
export interface DocsPage {
  /** As it lies in the package: `docs/security.md`. */
  readonly name: string
  readonly title: string
  readonly headings: readonly string[]
  readonly questions: readonly string[]
  /** The rest, line by line. */
  readonly lines: readonly string[]
}

/** What people ask that a page answers, in words that it doesn't have in its headings. A test knows that the pages exist. */
export const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  'security.md': [
    'where is my data stored',
    'which files does it keep',
    'delete all data',
    'another machine',
    'backup',
    'where are passwords kept',
    'card numbers in logs',
    'keyring',
  ],
  'four-eyes.md': ['two people must approve', 'second person', 'dual control'],
  'installation.md': [
    'install',
    'uninstall',
    'update',
    'new version',
    'remove cardctl',
    'windows',
    'mac',
    'debian',
  ],
  'when-things-go-wrong.md': ['which exit code', 'what does the code mean', 'what happens on timeout'],
  'profiles.md': ['proxy', 'variables', 'certificate authority'],
  'webhooks.md': ['sign the authorisation call', 'check a signature', 'password of the endpoint'],
  'nightly-job.md': [
    'cron',
    'crontab',
    'schedule',
    'every night',
    'systemd timer',
    'github actions',
    'gitlab',
    'kubernetes',
    'ci',
    'ci pipeline',
    'logrotate',
    'SIGPIPE',
    'jobkey',
    'prometheus',
  ],
  'webhook-tests.md': ['certificate for my endpoint', 'is my endpoint right'],
  'bulk.md': ['spreadsheet', 'many accounts at once', 'csv file', 'excel', 'rate limit of a run'],
  'first-day.md': ['my own service', 'use it with my bank', 'connect to production', 'real service'],
  'dialects.md': ['another service', 'other field names', 'minor units'],
  'support.md': ['screen reader', 'menu', 'be asked'],
  'idempotency.md': ['avoid double transfers', 'sent twice', 'paid twice', 'is it safe to repeat'],
  'fleet.md': ['rate limit of several machines', 'more than one machine', 'cluster'],
  'team-sandbox.md': [
    'password rotation',
    'postgresql',
    'shared sandbox',
    'several people share a sandbox',
    'tenant',
  ],
  'pin-device.md': ['set a pin on the phone of the cardholder', 'pin in an app', 'never see the pin'],
  'webhook-rules.md': ['decline by merchant category', 'decline by amount', 'approve by rule'],
  'sandbox.md': ['simulate an outage', 'simulate errors', 'test data', 'demo cards'],
  'agents.md': ['mcp', 'model context protocol', 'llm', 'ai agent', 'coding agent', 'claude', 'cursor'],
  'output.md': ['print json', 'machine readable', 'jq'],
}

/** All pages for users; none if the package came without them. Read only to search them. */
export function docsPages(): readonly DocsPage[] {
  let files: readonly string[]
  try {
    files = readdirSync(join(ROOT, 'docs')).filter(file => file.endsWith('.md') && !BACKGROUND.test(file))
  } catch {
    return []
  }
  return files.toSorted().map(file => pageOf(`docs/${file}`, readFileSync(join(ROOT, 'docs', file), 'utf8')))
}

/** A line of Markdown without its marks: a row of a table with its cells apart, no code marks, links as their text. */
export function plainText(line: string): string {
  const cells = line.startsWith('|')
    ? line
        .replace(/^\||\|\s*$/g, '')
        .split(/(?<!\\)\|/)
        .map(cell => cell.trim())
        .filter(cell => !/^:?-*:?$/.test(cell))
        .join('; ')
    : line
  return cells
    .replaceAll('\\|', '|')
    .replaceAll(/<br ?\/?>/g, ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/`|\*\*/g, '')
}

/** The list of all pages, and those for people who change cardctl. */
const BACKGROUND = /^(?:README|style)\.md$/

function pageOf(name: string, text: string): DocsPage {
  const headings: string[] = []
  const lines: string[] = []
  // In a block, a line with a number sign is a comment of a shell.
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    else if (!isCode && /^#+ /.test(line)) headings.push(line.replace(/^#+ /, ''))
    else if (line.trim() !== '') lines.push(plainText(line))
  }
  const [title = name, ...others] = headings
  return {name, title, questions: QUESTIONS[name.replace('docs/', '')] ?? [], headings: others, lines}
}
