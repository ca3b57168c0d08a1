import {isDumb} from './terminal.ts'

/** 0 none, 1 the sixteen basic colours, 2 256 colours, 3 true colour: chalk's levels. */
export type ColourLevel = 0 | 1 | 2 | 3

type Env = Readonly<Record<string, string | undefined>>

/**
 * How many colours a stream gets. What comes first wins: `--no-color`, NO_COLOR (any text, no-color.org), FORCE_COLOR
 * (0 to 3, true, false, or empty for 1), CLICOLOR_FORCE, CLICOLOR=0 (bixense.com/clicolors), TERM=dumb, no terminal; then
 * what TERM and COLORTERM promise, in CI the basic colours only.
 */
export function colourLevel(
  env: Env,
  stream: {readonly isTTY?: boolean | undefined},
  flags: {readonly noColour?: boolean | undefined} = {},
): ColourLevel {
  if (flags.noColour === true || isSet(env.NO_COLOR)) return 0
  if (env.FORCE_COLOR !== undefined) return forcedLevel(env.FORCE_COLOR)
  if (isSet(env.CLICOLOR_FORCE) && env.CLICOLOR_FORCE !== '0') return atLeastBasic(env)
  if (env.CLICOLOR === '0' || isDumb(env) || stream.isTTY !== true) return 0
  return isSet(env.CI) ? 1 : atLeastBasic(env)
}

const isSet = (value: string | undefined) => value !== undefined && value !== ''

function forcedLevel(value: string): ColourLevel {
  if (value === '0' || value === 'false') return 0
  if (value === '2') return 2
  return value === '3' ? 3 : 1
}

function atLeastBasic({COLORTERM = '', TERM = ''}: Env): ColourLevel {
  if (/truecolor|24bit/i.test(COLORTERM)) return 3
  return /256/.test(TERM) ? 2 : 1
}

/** Whether lines, bullets and bars must be plain ASCII: a dumb terminal, or a locale that says it isn't UTF-8. */
export function isAsciiOnly(env: Env): boolean {
  if (isDumb(env)) return true
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find(isSet)
  return locale !== undefined && !/utf-?8/i.test(locale)
}
