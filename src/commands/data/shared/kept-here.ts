import {statSync} from 'node:fs'
import {placesOf} from '../../../cli/completion/install.ts'
import type {Context} from '../../../cli/context.ts'
import {type ListedFile, listFiles} from '../../../files/list-files.ts'
import {type KeptFile, keptFiles} from '../../../profiles/kept-files.ts'

/** Files of one kind that are on this machine. */
export interface KeptHere {
  /** `journal/SERVICE.db`; `other` for what cardctl didn't write. */
  readonly name: string
  /** Where it is: the largest file of them, or their folder. */
  readonly path: string
  readonly files: number
  readonly bytes: number
  readonly holds: string
  readonly kept: string
  readonly remove: string
}

type Words = Pick<KeptFile, 'name' | 'holds' | 'kept' | 'remove'>

const OTHER: Words = {
  name: 'other',
  holds: 'not written by cardctl',
  kept: 'cardctl never changes it',
  remove: 'yours to decide',
}

const PROPOSALS: Words = {
  name: 'proposals',
  holds: 'requests that wait for a second person, and decisions; other users may read them',
  kept: 'proposals expire after 24 hours; their files stay',
  remove: 'delete the files of expired proposals',
}

/** The files in a folder of cardctl; of those that it didn't write, the kind is undefined. */
export async function filesHere(
  {folders}: Context,
  purpose: KeptFile['folder'],
): Promise<readonly (ListedFile & {readonly kind: KeptFile | undefined})[]> {
  const kinds = keptFiles.filter(({folder}) => folder === purpose)
  const files = await listFiles(folders[purpose])
  return files.map(file => ({...file, kind: kinds.find(({pattern}) => pattern.test(file.name))}))
}

/** What cardctl keeps on this machine, in the order of the list of kinds. */
export async function keptHere(context: Context): Promise<readonly KeptHere[]> {
  const found: KeptHere[] = []
  for (const purpose of ['config', 'data', 'cache'] as const) {
    const kinds = keptFiles.filter(({folder}) => folder === purpose)
    const groups = new Map<string, KeptHere>()
    for (const {name, path, bytes, kind} of await filesHere(context, purpose)) {
      const [, one = ''] = kind?.pattern.exec(name) ?? []
      // Each file of somebody else is listed on its own.
      const group = kind === undefined ? `other ${name}` : `${kind.name} ${one}`
      const before = groups.get(group)
      const words = kind ?? OTHER
      groups.set(group, {
        name: words.name,
        path: before === undefined || path.length < before.path.length ? path : before.path,
        files: (before?.files ?? 0) + 1,
        bytes: (before?.bytes ?? 0) + bytes,
        holds: words.holds,
        kept: words.kept,
        remove: words.remove,
      })
    }
    const order = [...kinds.map(({name}) => name), OTHER.name]
    found.push(...[...groups.values()].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name)))
  }
  return [...found, ...scriptOfFish(context), ...(await proposalsOf(context))]
}

/** The only file outside the folders of cardctl: fish looks for completion in its own. */
function scriptOfFish({surroundings}: Context): readonly KeptHere[] {
  const {script: path} = placesOf('fish', surroundings)
  const bytes = statSync(path, {throwIfNoEntry: false})?.size
  const words = keptFiles.find(({name}) => name === 'completion/')
  if (bytes === undefined || words === undefined) return []
  const {name, holds, kept, remove} = words
  return [{name, path, files: 1, bytes, holds, kept, remove}]
}

/** The folders of proposals that profiles name, each once. */
async function proposalsOf({service: {profiles}}: Context): Promise<readonly KeptHere[]> {
  const usable = (await profiles.list()).filter(({builtIn, problems}) => !builtIn && problems === undefined)
  const details = await Promise.all(usable.map(({name}) => profiles.show(name)))
  const named = new Set(details.flatMap(({proposals}) => (proposals === undefined ? [] : [proposals])))
  return Promise.all(
    [...named].map(async path => {
      const files = await listFiles(path)
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
      return {...PROPOSALS, path, files: files.length, bytes}
    }),
  )
}
