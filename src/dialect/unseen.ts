import type {BodyDifference} from '../contract/violation.ts'
import {everyItem, type MemberPlace} from './places.ts'
import {leaves} from './pointer.ts'
import {dotted} from './their-request.ts'

/** What a dialect reads and a content doesn't have, outermost, with what is beside it and not read. */
export function unseenIn(places: readonly MemberPlace[], content: unknown): readonly BodyDifference[] {
  const there = [...new Set(leaves(content).map(everyItem))]
  const read = places.flatMap(({theirs}) => (theirs === null ? [] : everyItem(theirs)))
  const isIn = (whole: string, part: string): boolean => part === whole || part.startsWith(`${whole}/`)
  const isThere = (place: string): boolean => there.some(one => isIn(place, one))
  const unread = there.filter(one => !read.some(place => isIn(place, one)))
  const outermost = (place: string): string => {
    const above = place.slice(0, place.lastIndexOf('/'))
    return place === '' || isThere(above) ? place : outermost(above)
  }
  return [...new Set(read.filter(place => !isThere(place)).map(outermost))].map(pointer => {
    const beside = pointer.slice(0, pointer.lastIndexOf('/') + 1)
    const others = unread.flatMap(one =>
      one.startsWith(beside) ? (one.slice(beside.length).split('/', 1)[0] ?? []) : [],
    )
    const names = [...new Set(others)].filter(name => FIELD.test(name)).slice(0, 8)
    const problem = `is not in the response${names.length === 0 ? '' : `, which has beside it, not read: ${names.join(', ')}`}`
    return {pointer, message: `${dotted(pointer)} ${problem}`, problem, found: 'absent', unseen: true}
  })
}

/** A name that is a field of theirs, and not a key that is data. */
const FIELD = /^[A-Za-z_][A-Za-z_-]{0,39}$/
