import {replaceActing} from '../rows/index.ts'

/**
 * YAML 1.2 that a 1.1 reader takes the same way ("no" and "3001" stay text). Text with characters that act is double-
 * quoted and escaped, so any reader gets the same value back.
 */
export async function formatYaml(value: unknown): Promise<string> {
  const {Document, visit} = await import('yaml')
  const document = new Document(value, {
    version: '1.2',
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
    toStringDefaults: {lineWidth: 0},
  })
  visit(document, {
    Scalar(_, node) {
      const {value: text} = node
      if (typeof text === 'string' && replaceActing(text, keepLineFeed) !== text) node.type = 'QUOTE_DOUBLE'
    },
  })
  return replaceActing(document.toString(), keepLineFeed)
}

function keepLineFeed(char: string): string {
  if (char === '\n') return char
  const code = (char.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
}
