import {memberAt} from './members.ts'

/**
 * Readers of replies: absent, null and unexpected members are simply not there, for a view must show what it can of any
 * version of the service.
 */
export function textAt(value: unknown, path: string): string {
  const member = memberAt(value, path)
  return typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean'
    ? String(member)
    : ''
}

export function numberAt(value: unknown, path: string): number | undefined {
  const member = memberAt(value, path)
  return typeof member === 'number' ? member : undefined
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  const member = memberAt(value, path)
  return Array.isArray(member) ? member : []
}

/** What is there of the parts, joined. */
export const joined = (parts: readonly string[], separator = ' '): string =>
  parts.filter(part => part !== '').join(separator)
