import {isObject} from '../../errors/is-object.ts'
import type {ReceivedCall} from '../received-call.ts'

/** Values of fields by their dotted paths. One that is undefined removes its field. A path that ends in `[]` is a list of one. */
export type Edits = Readonly<Record<string, unknown>>

/** A call with other values. Where the object around a field is missing, nothing changes. */
export function edited(call: ReceivedCall, edits: Edits): ReceivedCall {
  const copy = structuredClone(call)
  for (const [path, value] of Object.entries(edits)) edit(copy, path, value)
  return JSON.parse(JSON.stringify(copy)) as ReceivedCall
}

function edit(call: ReceivedCall, path: string, value: unknown): void {
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  const [name, isList] = [last.replace('[]', ''), last.endsWith('[]')]
  const around = steps.reduce(
    (inside: unknown, step) => (isObject(inside) ? (inside as ReceivedCall)[step] : undefined),
    call,
  )
  if (isObject(around)) (around as Record<string, unknown>)[name] = isList && value != null ? [value] : value
}
