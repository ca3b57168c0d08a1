/** Elements of HTML that end a line, and those that only mark text. Anything else in angle brackets is text: `<id>`. */
const LINE_ENDS = /<(?:br|hr|\/(?:p|li|div|h[1-6]|tr|ul|ol|dl|dt|dd|table|pre|blockquote))\b[^<>]*>/gi
const MARKS =
  /<\/?(?:a|abbr|b|blockquote|code|dd|details|div|dl|dt|em|font|h[1-6]|i|img|kbd|ol|p|pre|s|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|tt|u|ul)\b[^<>]*>/gi

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  amp: '&',
  mdash: '—',
  ndash: '–',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
}

/** A description as words, without the marks of HTML and AsciiDoc. Markdown reads as words already. */
export function plainWords(text: string): string {
  return (
    text
      // AsciiDoc: references, links, and lines that only give a form to a block.
      .replace(/<<[^<>,\n]*,\s*([^<>]*?)\s*>>/g, '$1')
      .replace(/<<#?([^<>\n]*)>>/g, '$1')
      .replace(/\b(?:link:|xref:|(?=https?:\/\/))[^\s[\]()<>"]{1,400}\[([^\],]{1,200})[^\]]{0,200}\]/g, '$1')
      .replace(
        /^(?:\[(?:cols|options|horizontal|source|NOTE|TIP|WARNING|IMPORTANT|\.|%)[^\]\n]*\]|\|===)[ \t]*(?:\n|$)/gm,
        '',
      )
      .replace(/<!--[^<>]*-->/g, '')
      .replace(/<li\b[^<>]*>/gi, '\n- ')
      .replace(LINE_ENDS, '\n')
      .replace(MARKS, '')
      // The ampersand itself is read last of all: &amp;lt; means &lt;.
      .replace(/&(?:#(\d{1,6})|([a-z]{2,6}));/g, (whole, code?: string, name = '') =>
        code === undefined
          ? (ENTITIES[name] ?? whole)
          : String.fromCodePoint(Math.min(Number(code), 0x10_ffff)),
      )
      .replace(/[ \t]+$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}
