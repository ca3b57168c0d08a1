/** The drawing characters, which a terminal without UTF-8 gets in ASCII. */
export interface Glyphs {
  readonly rule: string
  readonly dot: string
  readonly bullet: string
  readonly separator: string
  readonly ellipsis: string
  readonly full: string
  readonly empty: string
  readonly spinner: readonly string[]
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
}

export const glyphsFor = (asciiOnly: boolean): Glyphs => (asciiOnly ? ascii : unicode)
