// Error lines that were pasted. Runs in a browser, too.
import type {Explained} from './names-of-pages.ts'

/** A sentence of an error line, and what explains it. */
export interface PrintedLine {
  readonly pattern: RegExp
  /** A longer sentence says more. */
  readonly length: number
  readonly explained: Explained
}

export const printedLines = (all: readonly Explained[]): readonly PrintedLine[] =>
  all.flatMap(explained =>
    (explained.printed ?? []).map(sentence => {
      const words = sentence.split(/[\s'’/-]+/).map(word => (word === '*' ? '.{1,60}?' : escaped(word)))
      return {
        pattern: new RegExp(`(?<![\\p{L}\\d])${words.join('[^\\p{L}\\d]+')}(?![\\p{L}\\d])`, 'iu'),
        length: sentence.length,
        explained,
      }
    }),
  )

const escaped = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** What explains the longest sentence that a line has. */
export function explainedIn(line: string, all: readonly PrintedLine[]): readonly Explained[] {
  const found = all.filter(({pattern}) => pattern.test(line))
  const longest = Math.max(0, ...found.map(({length}) => length))
  return found.filter(({length}) => length === longest).map(({explained}) => explained)
}

/** Whether a line is one that a program printed, known or not. */
export const isErrorLine = (line: string): boolean => PROGRAM.test(line)

const PROGRAM =
  /^(?:Uncaught |Unhandled )?(?:\w*(?:Error|Exception)|FATAL(?: ERROR)?|ERROR|PANIC|panic|fatal|error|npm (?:ERR!|error)|Traceback)\b ?(?:\[|\(|:)|^\S*(?:bash|sh|zsh|node|npm|npx|curl|psql|docker|systemd)(?:\[\d+\])?: |\bE[A-Z]{4,}: |\berror:[0-9A-F]{8}:|\bat \S+ \(\S+:\d+:\d+\)/
