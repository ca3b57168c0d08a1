import {
  EVENT_ALIAS,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  type Event,
  getScalarValue,
  parseEvents,
  YAMLException,
} from 'js-yaml'

/**
 * Finds the lines of places in one text, counted from 1. Reads JSON as YAML. Undefined for a place that doesn't exist.
 */
export function linesOf(text: string): (steps: readonly string[]) => number | undefined {
  let places: Places | undefined
  return steps => {
    try {
      places ??= new Places(text)
      return places.lineOf(steps)
    } catch (error) {
      if (error instanceof YAMLException) return undefined
      throw error
    }
  }
}

interface Child {
  /** The number of the event that begins the value. */
  readonly value: number
  /** Where the value begins in the text, or its name if it has one. */
  readonly offset: number
}

class Places {
  readonly #text: string
  readonly #events: readonly Event[]
  readonly #breaks: readonly number[]
  /** The content of an object or list, by the number of the event that begins it. */
  readonly #children = new Map<number, ReadonlyMap<string, Child>>()

  constructor(text: string) {
    this.#text = text
    this.#events = parseEvents(text, {maxDepth: 200})
    this.#breaks = breaksIn(text)
  }

  lineOf(steps: readonly string[]): number | undefined {
    // The first event opens the document.
    let found: Child | undefined = {value: 1, offset: 0}
    for (const step of steps) {
      found = this.#childrenOf(found.value).get(step)
      if (found === undefined) return undefined
    }
    return countBelow(this.#breaks, found.offset) + 1
  }

  #childrenOf(at: number): ReadonlyMap<string, Child> {
    const known = this.#children.get(at)
    if (known !== undefined) return known
    const children = new Map(childrenOf(this.#text, this.#events, at))
    this.#children.set(at, children)
    return children
  }
}

function* childrenOf(text: string, events: readonly Event[], at: number): Generator<[string, Child]> {
  const holder = events[at]
  if (holder?.type === EVENT_SEQUENCE) {
    let index = 0
    for (let item = at + 1; isInside(events, item); item = after(events, item), index++) {
      yield [String(index), {value: item, offset: startOf(events[item]) ?? 0}]
    }
  }
  if (holder?.type === EVENT_MAPPING) {
    for (let key = at + 1; isInside(events, key); ) {
      const event = events[key]
      const value = after(events, key)
      if (event?.type === EVENT_SCALAR) {
        yield [getScalarValue(text, event), {value, offset: event.valueStart}]
      }
      key = after(events, value)
    }
  }
}

const isInside = (events: readonly Event[], at: number): boolean =>
  at < events.length && events[at]?.type !== EVENT_POP

/** The event that follows a whole value. */
function after(events: readonly Event[], from: number): number {
  let open = 0
  for (let at = from; at < events.length; at++) {
    const type = events[at]?.type
    if (type === EVENT_MAPPING || type === EVENT_SEQUENCE) open++
    else if (type === EVENT_POP) open--
    if (open <= 0) return at + 1
  }
  return events.length
}

function startOf(event: Event | undefined): number | undefined {
  switch (event?.type) {
    case EVENT_SCALAR:
      return event.valueStart
    case EVENT_ALIAS:
      return event.anchorStart
    case EVENT_MAPPING:
    case EVENT_SEQUENCE:
      return event.start
    default:
      return undefined
  }
}

/** Offsets of the line breaks. */
function breaksIn(text: string): readonly number[] {
  const breaks: number[] = []
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) breaks.push(at)
  return breaks
}

/** Number of items in an ascending list that are less than a value. */
function countBelow(numbers: readonly number[], limit: number): number {
  let from = 0
  let to = numbers.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((numbers[middle] ?? 0) < limit) from = middle + 1
    else to = middle
  }
  return from
}
