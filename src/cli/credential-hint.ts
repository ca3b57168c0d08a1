import {advice, type Hint} from '../errors/advice.ts'
import {type SecretReference, secretFieldOf} from '../profiles/index.ts'
import {typedLine} from './command-line.ts'
import type {Context} from './context.ts'

/** What to do after a 401: where the credential of this run comes from, and how it is replaced there. */
export async function credentialHint({service}: Pick<Context, 'service'>): Promise<Hint> {
  const {name, profile, token} = await service.chosen()
  if (token !== undefined) return 'The credential is that of CARDCTL_TOKEN. Set it to a valid one.'
  const {auth} = profile
  const edit = (...words: readonly string[]) => typedLine(['profiles', 'edit', name, ...words], undefined)
  const field = secretFieldOf(auth.type)
  if (field === undefined)
    return advice`The profile ${name} sends no credential. Say how the service authenticates, for example: ${edit('--auth', 'bearer', '--secret', '-')}`
  const {source, locator} = (auth as unknown as Readonly<Record<string, SecretReference>>)[field] ?? {}
  switch (source) {
    case 'env':
      return `The credential comes from the variable ${locator}. Set it to a valid one.`
    case 'file':
      return `The credential comes from the file ${locator}. Write a valid one there.`
    case 'cmd':
      return `The credential comes from a command of the profile ${name}. Have it print a valid one.`
    default:
      return advice`Store a new one: ${edit('--secret', '-')}`
  }
}
