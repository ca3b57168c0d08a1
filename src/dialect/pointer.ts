import {isObject} from '../errors/is-object.ts'
import {pointerBelow} from '../sensitive/json-pointer.ts'
import {Secret} from '../sensitive/secret.ts'

/** One step of a pointer: a name, an index, or the item of a list whose member has a value. */
type Step = string | {readonly member: string; readonly value: string}

const unescaped = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')

const steps = new Map<string, readonly Step[]>()

/** The steps of `/usageLimits/[code=MONTHLY]/sumAmount`. */
export function stepsOf(pointer: string): readonly Step[] {
  const known = steps.get(pointer)
  if (known) return known
  const found = pointer
    .split('/')
    .slice(1)
    .map((token): Step => {
      const chosen = /^\[([^=\]]+)=([^\]]*)\]$/.exec(token)
      return chosen
        ? {member: unescaped(chosen[1] ?? ''), value: unescaped(chosen[2] ?? '')}
        : unescaped(token)
    })
  steps.set(pointer, found)
  return found
}

const isIndex = (step: Step | undefined): step is string => typeof step === 'string' && /^\d+$/.test(step)

/** What a pointer leads to; undefined if there is nothing. */
export function valueAt(document: unknown, pointer: string): unknown {
  return found(document, pointer)?.value
}

/** What a pointer leads to, and its plain pointer, in which a chosen item has its index. */
export function found(
  document: unknown,
  pointer: string,
): {readonly value: unknown; readonly plain: string} | undefined {
  let value = document
  let plain = ''
  for (const step of stepsOf(pointer)) {
    if (typeof step === 'object' || (isIndex(step) && Array.isArray(value))) {
      if (!Array.isArray(value)) return undefined
      const index = typeof step === 'object' ? itemOf(value, step.member, step.value) : Number(step)
      if (index < 0 || index >= value.length) return undefined
      value = value[index]
      plain += `/${index}`
    } else {
      if (!isObject(value) || !Object.hasOwn(value, step)) return undefined
      value = value[step]
      plain = pointerBelow(plain, step)
    }
  }
  return {value, plain}
}

const itemOf = (list: readonly unknown[], member: string, value: string): number =>
  list.findIndex(item => isObject(item) && Object.hasOwn(item, member) && String(item[member]) === value)

/** The plain pointers of the members that choose the items on the way: `/usageLimits/0/code`. */
export function choices(document: unknown, pointer: string): readonly string[] {
  const parts = pointer.split('/').slice(1)
  return stepsOf(pointer).flatMap((step, at) => {
    if (typeof step === 'string') return []
    const item = found(document, `/${parts.slice(0, at + 1).join('/')}`)
    return item === undefined ? [] : [`${item.plain}/${step.member}`]
  })
}

type Holder = Record<string, unknown> | unknown[]

/** A document with a value at a pointer. What is missing on the way is made; the document is changed. */
export function put(document: unknown, pointer: string, value: unknown): unknown {
  const all = stepsOf(pointer)
  const last = all.at(-1)
  if (last === undefined) return value
  const root = holderFor(document, all[0])
  let holder = root
  for (const [at, step] of all.slice(0, -1).entries()) {
    const inside = holderFor(memberOf(holder, step), all[at + 1])
    setMember(holder, step, inside)
    holder = inside
  }
  setMember(holder, last, value)
  return root
}

function holderFor(given: unknown, step: Step | undefined): Holder {
  if (typeof step === 'object' || isIndex(step)) return Array.isArray(given) ? given : []
  return isObject(given) ? given : {}
}

function memberOf(holder: Holder, step: Step): unknown {
  if (!Array.isArray(holder))
    return typeof step === 'string' && Object.hasOwn(holder, step) ? holder[step] : undefined
  if (typeof step === 'string') return holder[Number(step)]
  return holder[itemOf(holder, step.member, step.value)] ?? {[step.member]: step.value}
}

function setMember(holder: Holder, step: Step, value: unknown): void {
  if (Array.isArray(holder)) {
    const index = typeof step === 'string' ? Number(step) : itemOf(holder, step.member, step.value)
    holder[index < 0 ? holder.length : index] = value
  } else if (typeof step === 'string') {
    // As a name of a map, never the prototype.
    Object.defineProperty(holder, step, {value, writable: true, enumerable: true, configurable: true})
  }
}

/** The pointers of everything that holds no further members: scalars, secrets, and empty lists and objects. */
export function leaves(value: unknown, pointer = ''): readonly string[] {
  if (value === undefined) return []
  const inside =
    Array.isArray(value) || (isObject(value) && !(value instanceof Secret)) ? Object.entries(value) : []
  if (inside.length === 0) return [pointer]
  return inside.flatMap(([name, item]) => leaves(item, pointerBelow(pointer, name)))
}
