import {placeOf} from './cell-marks.ts'

/** Tags that begin a row or a cell, each with what follows up to the next tag's name. */
const BEGINS = /<((?:\w+:)?)(row|c)((?:\s[^>]*?)?)(\/?)>(?=\s*(<(?:\w+:)?c\s[^>]*>)?)/g

const ROW = /\br\s*=\s*["'](\d+)["']/
const CELL = /\br\s*=\s*["']([A-Z]+)(\d+)["']/

/**
 * The same sheet with the position of every row and cell. Both may be left out (ECMA-376, 18.3.1.4 and 18.3.1.73): then a
 * cell is beside the one before it, and a row below the one before it.
 */
export function withPlaces(sheet: string): string {
  let line = 0
  let place = -1
  return sheet.replaceAll(
    BEGINS,
    (all: string, prefix: string, name: string, attributes: string, end: string, next?: string) => {
      if (name === 'row') {
        const known = ROW.exec(attributes)?.[1] ?? (end === '' ? CELL.exec(next ?? '')?.[2] : undefined)
        line = known === undefined ? line + 1 : Number(known)
        place = -1
        return ROW.test(attributes) ? all : `<${prefix}row r="${line}"${attributes}${end}>`
      }
      const [, letters] = CELL.exec(attributes) ?? []
      place = letters === undefined ? place + 1 : placeOf(letters)
      return letters === undefined ? `<${prefix}c r="${lettersOf(place)}${line}"${attributes}${end}>` : all
    },
  )
}

/** 0 is `A`, 27 is `AB`. */
function lettersOf(place: number): string {
  const before = Math.floor(place / 26)
  return (before === 0 ? '' : lettersOf(before - 1)) + String.fromCharCode(65 + (place % 26))
}

/** Cells that name the kind of a value and have none: empty, as some programs write them. */
const WITHOUT_VALUE =
  /(<(?:\w+:)?c\s[^>]{0,200}?)\st\s*=\s*["'](?:s|str|b|e|d|inlineStr)["']([^>]{0,200}?)(\/>|>(?:\s*<(?:\w+:)?f(?:\s[^>]*)?(?:\/>|>[^<]*<\/(?:\w+:)?f>))?\s*(?:<(?:\w+:)?v\s*\/>|<(?:\w+:)?v>\s*<\/(?:\w+:)?v>|<(?:\w+:)?is\s*\/>|<(?:\w+:)?is>\s*<\/(?:\w+:)?is>)?\s*<\/(?:\w+:)?c>)/g

/** The sheet as its reader takes it, which refuses a kind without a value. */
export const withoutEmptyKinds = (sheet: string): string => sheet.replaceAll(WITHOUT_VALUE, '$1$2$3')
