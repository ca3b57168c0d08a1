import type {WebhookEvent} from '../../webhook/index.ts'
import type {Context} from '../context.ts'

/** More places than these are told by the events alone. */
const MOST = 20

/**
 * Tells on stderr where calls differ from the contract, each place once: a service that has something in another way has it
 * so in every call.
 */
export function differenceWarner({printer}: Context): (event: WebhookEvent) => void {
  const told = new Set<string>()
  return event => {
    if (!('differs' in event) || told.size >= MOST) return
    const fresh = (event.differs ?? []).filter(({pointer}) => !told.has(placeOf(pointer)))
    for (const {pointer} of fresh) told.add(placeOf(pointer))
    const words = fresh.map(({pointer, message}) => (pointer === '' ? message : `${message} (${pointer})`))
    if (words.length > 0) printer.warn(`A call differs from the contract and is taken: ${words.join('; ')}.`)
  }
}

/** Items of a list are one place. */
const placeOf = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*')
