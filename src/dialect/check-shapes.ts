import {nearestName} from '../errors/nearest-name.ts'
import {pointerBelow} from '../sensitive/json-pointer.ts'
import type {DialectFile, MemberRule, Report, Shape, VariantFile} from './dialect-file.ts'
import {decimalsOf} from './forms.ts'

/** Patterns run in linear time, and an id has to match as a whole. */
export async function checkIds({ids = {}}: DialectFile, report: Report): Promise<void> {
  const {RE2JS} = await import('re2js')
  for (const [kind, pattern] of Object.entries(ids)) {
    try {
      RE2JS.compile(pattern)
    } catch {
      report(pointerBelow('/ids', kind), 'this is no regular expression that runs in linear time (RE2)')
    }
  }
}

/** Of two values of ours that are one of theirs, only one could come back. */
export function checkMaps({values = {}}: DialectFile, report: Report): void {
  for (const [name, map] of Object.entries(values)) {
    const seen = new Map<unknown, string>()
    for (const [ours, theirs] of Object.entries(map))
      for (const one of [theirs].flat()) {
        const before = seen.get(one)
        if (before !== undefined)
          report(
            pointerBelow(pointerBelow('/values', name), ours),
            `${String(one)} is there for ${before} too`,
          )
        seen.set(one, ours)
      }
  }
}

/** The names of shapes and maps. A shape may not lead to itself. */
export function checkShapes(file: DialectFile, report: Report): void {
  for (const [name, shape] of Object.entries(file.shapes ?? {})) {
    const pointer = pointerBelow('/shapes', name)
    if (leadsTo(name, shape, file, new Set())) report(pointer, 'this shape is a part of itself', 'key')
    checkRules(shape, file, pointer, report)
  }
  for (const side of ['call', 'answer'] as const)
    checkRules(file.webhook?.auth[side].members ?? {}, file, `/webhook/auth/${side}/members`, report)
  for (const [id, given] of Object.entries(file.operations)) {
    if ('cannot' in given) continue
    for (const [at, variant] of ([given].flat() as readonly VariantFile[]).entries()) {
      const pointer = pointerBelow('/operations', id) + (Array.isArray(given) ? `/${at}` : '')
      checkRules(variant.input ?? {}, file, `${pointer}/input`, report)
    }
  }
}

function checkRules(shape: Shape, file: DialectFile, pointer: string, report: Report): void {
  for (const [location, rule] of Object.entries(shape))
    if (typeof rule !== 'string') checkNames(rule, file, pointerBelow(pointer, location), report)
}

export function checkNames(rule: MemberRule, file: DialectFile, pointer: string, report: Report): void {
  const {values, items, shape, as, currency, exponent} = rule
  if (typeof values === 'string' && file.values?.[values] === undefined)
    report(`${pointer}/values`, unknownName(values, 'there is no map', Object.keys(file.values ?? {})))
  for (const [what, name] of [
    ['items', items],
    ['shape', shape],
  ] as const) {
    if (typeof name === 'string' && file.shapes?.[name] === undefined)
      report(`${pointer}/${what}`, unknownName(name, 'there is no shape', Object.keys(file.shapes ?? {})))
    if (typeof name === 'object') checkRules(name, file, `${pointer}/${what}`, report)
  }
  if (currency !== undefined && /^[A-Z]+$/.test(currency) && decimalsOf(currency) === undefined)
    report(`${pointer}/currency`, `${currency} is no currency of ISO 4217 with a minor unit`)
  if (as === 'minor' && currency === undefined && exponent === undefined)
    report(`${pointer}/as`, 'minor units need a currency or an exponent')
}

export const unknownName = (name: string, message: string, known: Iterable<string>): string => {
  const near = nearestName(name, known)
  return `${message} ${name}${near === undefined ? '' : `; did you mean ${near}?`}`
}

function leadsTo(name: string, shape: Shape, file: DialectFile, seen: Set<string>): boolean {
  return Object.values(shape).some(rule => {
    if (typeof rule === 'string') return false
    return [rule.items, rule.shape].some(next => {
      if (next === undefined || next === name) return next === name
      if (typeof next === 'object') return leadsTo(name, next, file, seen)
      if (seen.has(next)) return false
      seen.add(next)
      return leadsTo(name, file.shapes?.[next] ?? {}, file, seen)
    })
  })
}
