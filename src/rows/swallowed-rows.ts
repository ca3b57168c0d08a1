import type {Delimiter} from './dialect.ts'

/**
 * The place of a quoted value over several lines that swallowed rows: a quote that was forgotten on one line, and one too
 * many on another, make a valid record. -1 if no line of it looks like a row.
 */
export const placeOfRows = (fields: readonly string[], delimiter: Delimiter): number =>
  fields.findIndex((field, place) => {
    const lines = field.split(/\r\n|\n|\r/)
    if (lines.length === 1) return false
    const [before, after] = [fields.slice(0, place), fields.slice(place + 1)]
    return lines.some((line, at) => {
      const parts = line.split(delimiter)
      // Nothing is left to compare it with.
      if (fields.length === 1) return at > 0 && parts.length > 1 && CODE.test(parts[0]?.trim() ?? '')
      // The first and the last line have the other values of the record beside them.
      const [isFirst, isLast] = [at === 0, at === lines.length - 1]
      if ((isFirst || (isLast && place === 0)) && parts.length === 1) return false
      if (isFirst) return isRow([...before, ...parts], fields, {from: place + 1})
      return isLast ? isRow([...parts, ...after], fields, {to: place}) : isRow(parts, fields, {but: place})
    })
  })

/** Ids and amounts are one word each. In a sentence, a space follows a comma. */
const CODE = /^\S*\d\S*$/

/** Whether the values of a line are a row as the record is: with ids and numbers where it has some. */
function isRow(
  parts: readonly string[],
  fields: readonly string[],
  {
    from = 0,
    to = fields.length,
    but = -1,
  }: {readonly from?: number; readonly to?: number; readonly but?: number},
): boolean {
  const codes = fields.flatMap((field, at) => {
    const part = parts[at]?.trim() ?? ''
    const isCompared = at >= from && at < to && at !== but && part !== ''
    return isCompared && CODE.test(field.trim()) ? [CODE.test(part)] : []
  })
  const filled = parts.filter(part => part.trim() !== '').length
  const isWide = parts.length >= fields.length && filled > 1 && filled * 2 >= fields.length
  // The last column may be left out.
  const isShort =
    fields.length > 3 &&
    filled === fields.length - 1 &&
    codes.length > 1 &&
    !parts.some(part => /^\s/.test(part))
  return codes.length > 0 && codes.every(Boolean) && (isWide || isShort)
}
