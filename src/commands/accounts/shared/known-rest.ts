import type {Context} from '../../../cli/context.ts'
import {formerValues} from '../../../cli/former-values.ts'
import {clearedIn} from '../../../contract/marked-values.ts'
import type {Operation} from '../../../contract/operation.ts'
import {operations} from '../../../contract/operations.gen.ts'
import {touchedBy} from '../../../contract/resource.ts'
import {Failure} from '../../../errors/failure.ts'
import {isObject} from '../../../errors/is-object.ts'
import {shellQuoted} from '../../../errors/suggested-command.ts'
import {insteadOf} from '../../../profiles/index.ts'
import {MASK} from '../../../sensitive/secret.ts'

/**
 * The refusal of a part of an address with the rest of it, where the journal knows what was last sent from here. The
 * service has no read of it.
 */
export async function withKnownRest(
  {stores}: Context,
  error: unknown,
  {operation: id, path, body}: {readonly operation: string; readonly path: object; readonly body: unknown},
): Promise<Failure | undefined> {
  if (!(error instanceof Failure) || error.code !== 'CONFIRMATION_REQUIRED') return undefined
  const operation = (operations as Readonly<Record<string, Operation>>)[id]
  const input = {path: path as Readonly<Record<string, string>>, query: {}, body}
  const [part] = operation === undefined ? [] : clearedIn(operation, input)
  if (operation === undefined || part === undefined) return undefined
  const {name, missing} = part
  const instead = insteadOf(part)
  using journal = await stores.journal()
  const about = {operation: id, resources: touchedBy(operation, input)}
  const former = formerValues(journal, about, [name]).known.get(name)?.value
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && !value.includes(MASK) && !value.endsWith('…') ? value : undefined
  const known = isObject(former)
    ? missing.flatMap(member => {
        const value = text(former[member])
        return value === undefined ? [] : `-F ${quoted(`${name}.${member}=${value}`)}`
      })
    : []
  if (known.length === 0) return error.with({hint: `${instead}. The journal knows no earlier ${name}.`})
  return error.with({hint: `${instead}. The rest as it was last sent from here: ${known.join(' ')}`})
}

const quoted = (text: string): string => (/^[\w.=-]+$/.test(text) ? text : shellQuoted(text))
