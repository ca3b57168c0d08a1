// Every line of shell that help and the pages show as an example.
import type {Command} from '@oclif/core/command'
import {commands} from '../../src/commands/index.ts'
import {blocksOf, type Page, pages} from '../docs/pages.ts'

/** Lines that belong together: what one command's help shows, or the blocks of one page, in their order. */
export interface Examples {
  /** `cardctl a2a create`, or the path of a page. */
  readonly name: string
  readonly lines: readonly string[]
  /** What a page shows of the output of its lines with a prompt, in their order: `…` stands for any lines. */
  readonly shown?: readonly (readonly [line: string, output: string])[]
}

/** Pages that are transcripts: what they show of an output is what the command prints. */
const TRANSCRIPTS = ['nightly-job', 'first-webhook', 'support', 'when-things-go-wrong'].map(
  name => `docs/${name}.md`,
)

/** The examples in the help of every command. */
export async function helpExamples(): Promise<readonly Examples[]> {
  return Promise.all(
    Object.entries(commands).map(async ([id, load]) => {
      const {examples = []} = (await load()).default as unknown as Command.Class
      const lines = examples.flatMap(example => {
        const text = typeof example === 'string' ? example : `# ${example.description}\n${example.command}`
        return linesOf(text.replaceAll('<%= config.bin %>', 'cardctl'))
      })
      return {name: `cardctl ${id.replaceAll(':', ' ')}`, lines}
    }),
  )
}

const userPages = (): readonly Page[] =>
  pages().filter(({path}) => path === 'README.md' || /^docs\/[^/]+$/.test(path))

/** The shell blocks of README.md and docs/*.md; docs/commands has what help has. */
export function pageExamples(): readonly Examples[] {
  return userPages()
    .map(page => ({
      name: page.path,
      ...(TRANSCRIPTS.includes(page.path) ? {shown: shownIn(page)} : {}),
      lines: blocksOf(page).flatMap(({language, code}) => {
        if (language === 'sh') return linesOf(code)
        // What follows a line with a prompt is what the command prints.
        if (/^\$ /m.test(code)) return promptsOf(code).map(([line]) => line)
        return isTyped(language, code) ? linesOf(code) : []
      }),
    }))
    .filter(({lines}) => lines.length > 0)
}

/** Command lines without a prompt, as a block of a page shows them. */
const isTyped = (language: string, code: string): boolean =>
  language === '' && /^(?:#.*\n|export .*\n)*cardctl /.test(code)

/** Languages of data and of programs, whose blocks other tests read. */
const OF_OTHERS = ['json', 'yaml', 'js', 'ts', 'javascript', 'python']

/** The other blocks of the pages, each by its page and its first line: no line of them runs here. */
export const otherBlocks = (): readonly string[] =>
  userPages().flatMap(page =>
    blocksOf(page)
      .filter(({language, code}) => language !== 'sh' && !/^\$ /m.test(code) && !isTyped(language, code))
      .filter(({language}) => !OF_OTHERS.includes(language))
      .map(({code}) => `${page.path}: ${code.split('\n', 1)[0]?.trim()}`),
  )

/** The lines with a prompt, each with the output below it. */
const shownIn = (page: Page): readonly (readonly [line: string, output: string])[] =>
  blocksOf(page)
    .filter(({code}) => /^\$ /m.test(code))
    .flatMap(({code}) => promptsOf(code))

/** The commands that a transcript has behind a prompt, with the output of each: a comment is above its command. */
function promptsOf(code: string): readonly (readonly [line: string, output: string])[] {
  const lines: [line: string, output: string][] = []
  for (const line of withExits(code.replaceAll('\\\n', ' ')).split('\n')) {
    const [, command] = /^\$ (.*)$/.exec(line) ?? []
    const last = lines.at(-1)
    if (command !== undefined) lines.push([command, ''])
    else if (last && !line.startsWith('# ')) last[1] += `${line}\n`
  }
  return lines
}

const linesOf = (text: string): readonly string[] =>
  withExits(text.replaceAll('\\\n', ' '))
    .split('\n')
    .filter(line => !/^\s*(#|$)/.test(line))

/** Puts the exit code that a comment announces behind the command below it: `# 5: not found`. */
const withExits = (text: string): string => text.replaceAll(/^\s*(# \d+: .*)\n(.+)$/gm, '$2   $1')

/** The exit code that is announced for a line of `linesOf`. */
export const announcedExit = (line: string): number => Number(/\s# (\d+): /.exec(line)?.[1] ?? 0)
