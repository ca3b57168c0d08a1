import {isRecord} from './json-object.ts'
import {type SecretReference, storedReference} from './reference.ts'
import {secretPaths} from './settings.ts'

/**
 * The secrets that the tool itself keeps for a profile, be the rest of its entry broken or not. An account that was made
 * for another profile is none of its own, whoever wrote it there.
 */
export function ownSecrets(name: string, raw: unknown): readonly SecretReference[] {
  return [...secretPaths].flatMap(path => {
    const text = path
      .split('.')
      .reduce<unknown>((value, member) => (isRecord(value) ? value[member] : undefined), raw)
    const reference = typeof text === 'string' ? storedReference(text) : undefined
    const isOwn =
      (reference?.source === 'keyring' || reference?.source === 'secretfile') &&
      reference.locator.startsWith(`${name}/`)
    return reference !== undefined && isOwn ? reference : []
  })
}
