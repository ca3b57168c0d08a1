import {existsSync} from 'node:fs'
import type {ResourceKind} from '../../contract/operation.ts'
import {isObject} from '../../errors/is-object.ts'
import {textAt} from '../../output/fields.ts'
import {createSandbox} from '../../sandbox/index.ts'
import type {Context} from '../context.ts'
import {embeddedFile} from '../embedded-sandbox.ts'

/** What tells one from another. */
const WORDS: Partial<Record<ResourceKind, (of: unknown) => readonly string[]>> = {
  card: of => [nameOf(isObject(of) ? of.embossing : undefined), textAt(of, 'status')],
  account: of => [
    textAt(of, 'type').toLowerCase(),
    textAt(of, 'status'),
    `customer ${textAt(of, 'customerId')}`,
  ],
  customer: of => [nameOf(of)],
}

const nameOf = (of: unknown): string => `${textAt(of, 'firstName')} ${textAt(of, 'lastName')}`.trim()

/**
 * "Aino Virtanen, CARD_OK", as the embedded sandbox has it now. Makes no file: a new sandbox begins with the demo data.
 * Nothing for other kinds, and if the sandbox can't be opened: the command itself will say why.
 */
export async function demoWords(
  context: Context,
  kind: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const words = WORDS[kind as ResourceKind]
  if (words === undefined || ids.length === 0) return new Map()
  const file = embeddedFile(context)
  try {
    const sandbox = await createSandbox(existsSync(file) ? {file, now: context.surroundings.now} : {})
    try {
      const found = ids.map(async id => {
        const {status, body} = await sandbox.handle({method: 'GET', url: `/_sandbox/state/${kind}/${id}`})
        const said = status === 200 ? words(JSON.parse(new TextDecoder().decode(body))) : []
        return [id, said.filter(word => word !== '').join(', ')] as const
      })
      return new Map(await Promise.all(found))
    } finally {
      await sandbox.close()
    }
  } catch {
    return new Map()
  }
}
