/** What people put between the groups of a card number besides spaces, dashes and dots. Commas separate values. */
const BETWEEN = String.raw`[/\\_:|~*+=]`

/** Groups as on a card, 4-4-4-4 or 4-6-5, with the same character between all of them. */
const ODD_GROUPS = new RegExp(
  String.raw`(?<!\d)\d{4}(?:(${BETWEEN})\d{4}\1\d{4}\1\d{4}|(${BETWEEN})\d{6}\2\d{5})(?!\d)`,
  'g',
)

/** The text with dashes in such groups, so that they are scanned as one number. Its length stays the same. */
export const withDashes = (text: string): string =>
  text.replace(ODD_GROUPS, number => number.replaceAll(/\D/g, '-'))
