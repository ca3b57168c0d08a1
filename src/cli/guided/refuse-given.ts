import {operations} from '../../contract/operations.gen.ts'
import type {OperationId} from '../../contract/types.ts'
import type {Dialect} from '../../dialect/index.ts'
import {Failure} from '../../errors/failure.ts'
import {isReadOnce, tryInput, unreadableInput} from '../../input/read-input.ts'
import {readData} from '../body.ts'
import {checkPath} from '../check-input.ts'
import type {Context} from '../context.ts'
import type {Given} from '../needs.ts'
import type {Asker} from './ask-value.ts'
import type {AskedCommand} from './guide.ts'

/**
 * Refuses what is wrong with the values that a person typed, before the first question: nobody answers questions for a
 * line that is refused afterwards. What only the whole line shows, the command says.
 *
 * @throws Failure
 */
export async function refuseGiven(asker: Asker, given: Given): Promise<void> {
  const {context, command} = asker
  if (given.has('--profile') && !command.id.startsWith('profiles:')) await context.service.chosen()
  await refuseFiles(context, given)
  if (given.has('--no-check-input')) return
  const dialect = await context.service.dialect().catch(() => undefined)
  const id = asker.operation(given)
  await refusePath(command, id ?? command.guide.likeOperation, given, dialect)
  for (const [name, value] of given)
    for (const text of textsOf(value))
      await refuseText(asker, {name, text, id, isTheirs: dialect !== undefined}, given)
}

const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter(one => typeof one === 'string' && one !== '')

/** Files that are read, but no pipe: what is read of it would be missing afterwards. */
async function refuseFiles({surroundings}: Context, given: Given): Promise<void> {
  for (const path of textsOf(given.get('--from')))
    if (path !== '-')
      await tryInput(path, surroundings.signal).catch((error: unknown) => {
        throw unreadableInput(path, error)
      })
  for (const data of textsOf(given.get('--data')))
    if (data !== '-' && !(await isPipe(data))) await readData(data, surroundings)
}

/** One that isn't there is for its reader to name. */
const isPipe = async (data: string): Promise<boolean> =>
  data === '@-' || (data.startsWith('@') && (await isReadOnce(data.slice(1)).catch(() => false)))

/** The ids and other values of the path, which may belong to another service. */
async function refusePath(
  {args, guide}: AskedCommand,
  id: OperationId | undefined,
  given: Given,
  dialect: Dialect | undefined,
): Promise<void> {
  if (id === undefined) return
  const params: readonly string[] = operations[id].pathParams
  const path: Record<string, string> = {}
  for (const name of [...Object.keys(args), ...Object.keys(guide.fields ?? {})]) {
    const parameter = /^path:(.*)/.exec(guide.fields?.[name] ?? '')?.[1] ?? name
    const value = given.get(name)
    if (params.includes(parameter) && typeof value === 'string') path[parameter] = value
  }
  if (Object.keys(path).length > 0) await checkPath(operations[id], path, dialect)
}

async function refuseText(
  asker: Asker,
  {name, text, id, isTheirs}: {name: string; text: string; id: OperationId | undefined; isTheirs: boolean},
  given: Given,
): Promise<void> {
  if (asker.command.guide.partChecks?.[name] !== undefined) return asker.refuseParts(name, given, text)
  const [, path, value] = (name === '--field' && /^([^=]+)=(.*)$/s.exec(text)) || []
  // A field of another service may have other values.
  const isField = path !== undefined || asker.command.guide.fields?.[name] !== undefined
  if (isTheirs || id === undefined || !isField || value?.startsWith('@') || value === '') return
  const problem = await asker.problemOf(path === undefined ? name : `-F ${path}`, given, value ?? text)
  if (problem === true) return
  throw new Failure('CONTRACT_VIOLATION', {
    message: problem,
    hint: 'Nothing was asked or sent. Correct the line and run it again.',
    effect: 'none',
  })
}
