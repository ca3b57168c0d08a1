import {escapeText} from '../../../rows/index.ts'

/**
 * Text of a document for a page of help: nothing in it acts on the terminal, and nothing is a template, which the help
 * would carry out.
 */
export const shownText = (text: string): string =>
  text
    .split(/\r?\n/)
    .map(line => escapeText(line).replaceAll('<%', '< %').replaceAll('%>', '% >'))
    .join('\n')

/** The same on one line, cut where it is long. */
export function shownLine(text: string, most = 200): string {
  const line = shownText(text).replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line
}
