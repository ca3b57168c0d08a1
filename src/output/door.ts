import {replaceActing} from '../rows/index.ts'

// A RegExp literal with the escape character is refused by the linter, with reason anywhere but here.
const colourCode = new RegExp(`(${String.fromCharCode(0x1b)}\\[[0-9;]*m)`)
const nothing = /(?!)/

/**
 * The last door: whatever view made the text, only line feeds and our own colour codes (SGR) act on the terminal. The
 * helpers have escaped already; this holds where a view forgot.
 */
export function atTheDoor(text: string, colours: boolean): string {
  return text
    .split(colours ? colourCode : nothing)
    .map((part, at) => (at % 2 === 1 ? part : replaceActing(part, escapeExceptLineFeed)))
    .join('')
}

function escapeExceptLineFeed(char: string): string {
  if (char === '\n') return char
  return `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
}
