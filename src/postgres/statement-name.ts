import {createHash} from 'node:crypto'

const names = new Map<string, string>()

/**
 * The name under which a connection prepares a statement: a digest of its text. So a name means the same statement in
 * every process and every version, whoever has prepared it on a connection.
 */
export function statementName(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `cardctl_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
  names.set(text, name)
  return name
}
