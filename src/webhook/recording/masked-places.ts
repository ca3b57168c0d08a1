import {MASK} from '../../sensitive/secret.ts'

/** Whether nothing in a text was masked before it was recorded. */
export const isWhole = (text: string): boolean => !text.includes(MASK) && !text.includes('•')

/** Where something was masked in a recorded JSON value, as JSON pointers; names of members count too. */
export function maskedPlaces(value: unknown, pointer = ''): string[] {
  if (typeof value === 'string') return isWhole(value) ? [] : [pointer]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return isWhole(name) ? maskedPlaces(member, place) : [place]
  })
}
