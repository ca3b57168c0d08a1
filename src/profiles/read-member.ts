import {nearestName} from '../errors/nearest-name.ts'
import {isRecord} from './json-object.ts'
import {type SecretReference, storedReference} from './reference.ts'
import type {Problem} from './words.ts'

/**
 * Reads the members of one object of profiles.json and gathers what is wrong with them. A reader of an object inside
 * shares its parent's list of problems and puts its own name before its members'.
 */
export class MemberReader {
  readonly raw: Readonly<Record<string, unknown>>
  readonly problems: Problem[]
  readonly #path: string

  constructor(raw: Readonly<Record<string, unknown>>, problems: Problem[] = [], path = '') {
    this.raw = raw
    this.problems = problems
    this.#path = path
  }

  report(member: string, message: string, suggestion?: string): void {
    const found = {member: `${this.#path}${member}`, message}
    this.problems.push(suggestion === undefined ? found : {...found, suggestion})
  }

  has(member: string): boolean {
    return Object.hasOwn(this.raw, member)
  }

  names(): readonly string[] {
    return Object.keys(this.raw)
  }

  object(member: string): MemberReader | undefined {
    const value = this.#value(member)
    if (value === undefined) return undefined
    if (isRecord(value)) return new MemberReader(value, this.problems, `${this.#path}${member}.`)
    this.report(member, 'must be an object')
    return undefined
  }

  /** A reader that finds nothing, for an object that is absent. */
  empty(member: string): MemberReader {
    return new MemberReader({}, this.problems, `${this.#path}${member}.`)
  }

  list(member: string): readonly unknown[] | undefined {
    const value = this.#value(member)
    if (value === undefined || Array.isArray(value)) return value
    this.report(member, 'must be a list')
    return undefined
  }

  text(member: string, pattern?: RegExp, message = 'has the wrong form'): string | undefined {
    const value = this.#value(member)
    if (value === undefined) return undefined
    if (typeof value !== 'string') {
      this.report(member, 'must be text')
      return undefined
    }
    if (pattern !== undefined && !pattern.test(value)) this.report(member, message)
    return value
  }

  /** The same for a member that must be there. */
  required(member: string, pattern?: RegExp, message?: string): string {
    if (!this.has(member)) this.report(member, 'is missing')
    return this.text(member, pattern, message) ?? ''
  }

  /** A member that is false when absent. */
  flag(member: string): boolean {
    const value = this.#value(member)
    if (value === undefined || typeof value === 'boolean') return value ?? false
    this.report(member, 'must be true or false')
    return false
  }

  choice<T extends string>(member: string, allowed: readonly T[]): T | undefined {
    if (!this.has(member)) this.report(member, `is missing: one of ${allowed.join(', ')}`)
    return this.optionalChoice(member, allowed)
  }

  optionalChoice<T extends string>(member: string, allowed: readonly T[]): T | undefined {
    const value = this.#value(member)
    if (value === undefined) return undefined
    const found = allowed.find(one => one === value)
    if (found === undefined) {
      const meant = typeof value === 'string' ? nearestName(value, allowed) : undefined
      this.report(member, `must be one of ${allowed.join(', ')}`, meant)
    }
    return found
  }

  number(
    member: string,
    {least, most, fraction = false}: {least: number; most: number; fraction?: boolean},
  ): number | undefined {
    const value = this.#value(member)
    if (value === undefined) return undefined
    if (
      typeof value === 'number' &&
      value >= least &&
      value <= most &&
      (fraction || Number.isInteger(value))
    ) {
      return value
    }
    this.report(member, `must be a${fraction ? '' : ' whole'} number from ${least} to ${most}`)
    return undefined
  }

  reference(member: string): SecretReference | undefined {
    const text = this.text(member)
    if (text === undefined) return undefined
    const reference = storedReference(text)
    if (reference === undefined) {
      this.report(member, 'must be a reference to a secret: env:NAME, file:/PATH or cmd:COMMAND')
    }
    return reference
  }

  #value(member: string): unknown {
    return this.has(member) ? this.raw[member] : undefined
  }
}
