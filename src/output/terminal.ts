type Env = Readonly<Record<string, string | undefined>>

/** 0 none, 1 the sixteen basic colours, 2 256 colours, 3 true colour: chalk's levels. */
export type ColourLevel = 0 | 1 | 2 | 3

/**
 * How many colours a stream gets. The first of these wins: `--no-color`, NO_COLOR (any text, no-color.org), FORCE_COLOR
 * (0 to 3, true, false, or empty for 1), CLICOLOR_FORCE, CLICOLOR=0 (bixense.com/clicolors), TERM=dumb, no terminal.
 * After that, TERM and COLORTERM decide; CI gets only the basic colours.
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

/**
 * Whether lines, bullets and bars must be plain ASCII: with CARDCTL_ASCII, on a dumb terminal, or if the locale isn't
 * UTF-8.
 */
export function isAsciiOnly(env: Env): boolean {
  if (isOn(env.CARDCTL_ASCII) || isDumb(env)) return true
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find(isSet)
  return locale !== undefined && !/utf-?8/i.test(locale)
}

const isOn = (value: string | undefined) => isSet(value) && value !== '0'

/**
 * Whether the user wants output that a screen reader can follow: plain lines and plain questions, and nothing is
 * redrawn (CARDCTL_ACCESSIBLE).
 */
export const isAccessible = ({CARDCTL_ACCESSIBLE}: Env): boolean => isOn(CARDCTL_ACCESSIBLE)

/** Whether lines may be rewritten in place on a terminal. */
export const mayRedraw = (env: Env): boolean => !isDumb(env) && !isAccessible(env)

/** Whether a terminal takes only plain lines: it can't redraw or scroll back. */
export const isDumb = ({TERM}: Env): boolean => TERM === 'dumb'

/**
 * Prefixes of the names of terminals that are known to have an alternate screen. Consoles and hardware terminals
 * (linux, vt100, ansi, sun) have none, and unknown terminals may have none.
 */
const WITH_SECOND_SCREEN =
  /^(xterm|screen|tmux|rxvt|alacritty|kitty|foot|wezterm|vte|gnome|konsole|iterm|putty|mintty|ghostty|contour|mlterm|nsterm|st(-|$)|eterm|teraterm)/i

/**
 * Whether text can be removed from the terminal without a trace, because it has an alternate screen (`smcup` in
 * terminfo).
 */
export const hasSecondScreen = ({TERM = ''}: Env, platform: NodeJS.Platform): boolean =>
  WITH_SECOND_SCREEN.test(TERM) || (platform === 'win32' && TERM === '')

/** The drawing characters; ASCII for a terminal without UTF-8. */
export interface Glyphs {
  readonly rule: string
  readonly dot: string
  readonly bullet: string
  readonly separator: string
  readonly ellipsis: string
  readonly full: string
  readonly empty: string
  readonly spinner: readonly string[]
  /** From the lowest to the highest, for sparklines. */
  readonly heights: readonly string[]
  readonly ascii: boolean
}

const unicode: Glyphs = {
  rule: '─',
  dot: '●',
  bullet: '•',
  separator: '·',
  ellipsis: '…',
  full: '▰',
  empty: '▱',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  heights: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  ascii: false,
}

const ascii: Glyphs = {
  rule: '-',
  dot: '*',
  bullet: '*',
  separator: '-',
  ellipsis: '~',
  full: '#',
  empty: '-',
  spinner: ['|', '/', '-', '\\'],
  heights: ['_', '.', '-', '~', '=', '+', '*', '#'],
  ascii: true,
}

/** For a screen reader: nothing that is read out as the name of a sign. */
export const spoken: Glyphs = {...ascii, rule: '', dot: '', bullet: 'x', separator: ','}

export const glyphsFor = (asciiOnly: boolean): Glyphs => (asciiOnly ? ascii : unicode)
