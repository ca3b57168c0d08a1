import type {Preview} from '../http/send-types.ts'
import {Secret} from '../sensitive/secret.ts'

/** The request as a command that can be run in a POSIX shell; a variable stands where a secret would. */
export function asCurl({method, url, headers, body}: Preview): string {
  const parts = ['curl', '--request', method]
  for (const [name, value] of Object.entries(headers)) {
    parts.push(
      '--header',
      value instanceof Secret ? `"${name}: $${variable(name)}"` : quote(`${name}: ${value}`),
    )
  }
  if (body !== undefined) parts.push('--data', quote(JSON.stringify(body)))
  return [...parts, quote(url)].join(' ')
}

/** `authorization` → `AUTHORIZATION`: what the caller exports before running the line. */
const variable = (header: string): string => header.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
