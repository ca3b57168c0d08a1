import {blocksOf, inlineCodeOf, type Page} from './pages.ts'

/** Words of one call of cardctl, as a shell would hand them on. */
export type CommandLine = readonly string[]

/** Every call of cardctl in the shell blocks of a page. */
export function commandLinesOf(page: Page): readonly CommandLine[] {
  return blocksOf(page)
    .filter(({language}) => ['', 'sh'].includes(language))
    .flatMap(({code}) => code.replaceAll(/\\\n/g, ' ').split('\n'))
    .flatMap(line => callsIn(line))
}

/** Mentions of a command in running text: complete or not. */
export function mentionsOf(page: Page): readonly CommandLine[] {
  return inlineCodeOf(page).flatMap(code => callsIn(code))
}

/** The calls of cardctl in one line of shell: behind a prompt, `npx`, `!`, a variable, a pipe. */
export function callsIn(line: string): readonly CommandLine[] {
  return simpleCommands(line).flatMap(words => {
    const at = words.findIndex(word => !/^(\$|npx|!|while|do|if|[A-Z_]+=.*)$/.test(word))
    return words[at] === 'cardctl' ? [words.slice(at + 1)] : []
  })
}

/** Splits at `|`, `;`, `&`, redirections and comments; knows quotes and backslashes, nothing more of a shell. */
function simpleCommands(line: string): string[][] {
  const commands: string[][] = [[]]
  const token =
    /\s+|(#.*$)|(\|\|?|&&?|;|\$\(|\))|([<>]+\s*\S+)|((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\|&;<>()])+)/gy
  for (const [, comment, separator, redirection, word] of line.matchAll(token)) {
    if (separator !== undefined) commands.push([])
    else if (word !== undefined && comment === undefined && redirection === undefined) {
      commands.at(-1)?.push(unquoted(word))
    }
  }
  return commands
}

function unquoted(word: string): string {
  return word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_, single, double, escaped) =>
    String(single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped),
  )
}
