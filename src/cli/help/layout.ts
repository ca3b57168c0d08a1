import {paintFor, strong} from '../../output/styled.ts'
import {colourLevel} from '../../output/terminal.ts'
import {paintLine, textWidth, wrap, wrapProse} from '../../output/text-layout.ts'
import type {Surroundings} from '../surroundings.ts'

/** Puts help into lines of the terminal's width. */
export interface HelpLayout {
  readonly width: number
  /** A heading and its lines. */
  section(title: string, lines: readonly string[]): string[]
  /** Rows of two columns. A name too long for its column gets a line of its own. */
  rows(rows: readonly (readonly [name: string, about: string])[], most?: number): string[]
  /** Text in lines that begin with `indent`. Its own line breaks stay. */
  prose(text: string, indent?: string): string[]
}

const USUAL_WIDTH = 80
const WIDEST = 100
const NARROWEST = 20

/** @param spared columns that the text may not use */
export function helpLayout(
  {stdout, env}: Pick<Surroundings, 'stdout' | 'env'>,
  {noColour = false, spared = 0}: {noColour?: boolean; spared?: number} = {},
): HelpLayout {
  const given = stdout.isTTY && stdout.columns ? stdout.columns : Number(env.COLUMNS)
  const width = Math.max(Math.min(given > 0 ? given : USUAL_WIDTH, WIDEST) - spared, NARROWEST)
  const paint = paintFor(colourLevel(env, stdout, {noColour}))
  const plain = paintFor(0)
  const prose = (text: string, indent = ''): string[] =>
    text
      .split('\n')
      .flatMap(line => wrapProse(indent + line, width))
      .map(line => paintLine(line, plain).trimEnd())
  return {
    width,
    prose,
    section: (title, lines) => (lines.length === 0 ? [] : ['', paint(strong(title)), ...lines]),
    rows(rows, most = Math.floor(width / 3)) {
      const names = rows.map(([name]) => textWidth(name)).filter(length => length <= most)
      const column = Math.max(0, ...names) + 4
      return rows.flatMap(([name, about]) => {
        const lines = wrap(about, width - column).map(line => paintLine(line, plain).trimEnd())
        const isShort = textWidth(name) <= column - 4
        const first = isShort ? `  ${name.padEnd(column - 2)}${lines[0] ?? ''}` : `  ${name}`
        const rest = isShort ? lines.slice(1) : lines
        return [first.trimEnd(), ...rest.map(line => ' '.repeat(column) + line)]
      })
    },
  }
}
