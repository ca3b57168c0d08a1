import {randomBytes} from 'node:crypto'
import {constants} from 'node:fs'
import {access, chmod, lstat, open, readdir, rm, stat} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {advice, type Hint} from '../errors/advice.ts'
import {cardctl} from '../errors/suggested-command.ts'
import {errnoOf, reasonOf, remedyOf} from '../errors/system-reason.ts'
import {broken, doubtful, type Finding, fine} from './finding.ts'

export interface FolderOptions {
  readonly purpose: 'config' | 'data' | 'cache'
  /** `Data folder`. */
  readonly title: string
  readonly path: string
  /** `CARDCTL_DATA_DIR`, which names another one. */
  readonly variable: string
  readonly platform: NodeJS.Platform
  /** The user's id; absent if the system has none. */
  readonly uid?: number | undefined
  /** Remove the access of other users, and files that killed processes left. */
  readonly fix: boolean
  readonly now: number
}

/**
 * Names that cardctl gives to files and folders at the top of its folders. Anything else isn't ours and is left alone.
 */
const OURS =
  /^(?:(?:profiles|secrets)\.json(?:\.lock)?|audit\..+|clock\.json(?:\.\w+)*|journal|sandbox|webhook|contracts|compiled|\.cardctl-[0-9a-f]{12}\.tmp(?:\.tmp-[0-9a-f]{16})?)$/
const COMPILED = 'compiled'
/** Names of temporary files, which are useless once the process that writes them is gone. */
const LEFTOVER = /^\.cardctl-[0-9a-f]{12}\.tmp(?:\.tmp-[0-9a-f]{16})?$|^local\.key\.\d+\.[0-9a-f]{12}$/
/** No write takes longer, so older temporary files are abandoned. */
const STALE_MS = 24 * 60 * 60 * 1000
/** Maximum depth of our files: `journal/x.db`. */
const DEPTH = 2
const FIX = advice`Run: ${cardctl('doctor', '--fix')}`

/** Checks one of cardctl's folders: whether it exists, its owner, access to its files, and leftovers. */
export async function folder(options: FolderOptions): Promise<readonly Finding[]> {
  const {title, path, platform, uid} = options
  const found = await lstat(path).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  })
  const facts = {path}
  if (found === undefined) return [await absent(options)]
  const target = found.isSymbolicLink() ? await stat(path).catch(() => undefined) : found
  if (target?.isDirectory() !== true) {
    return [
      broken('CONFIG_UNREADABLE', `${path} is not a folder`, 'Move the file with that name away.', {
        title,
        facts,
      }),
    ]
  }
  if (uid !== undefined && target.uid !== uid) {
    const message = `${path} belongs to another user (${target.uid})`
    return [
      broken('CONFIG_UNREADABLE', message, 'Run cardctl as that user, or change the owner of the folder.', {
        title,
        facts: {...facts, owner: target.uid},
      }),
    ]
  }
  const unusable = await access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: unknown) => error,
  )
  const isReadOnly = unusable !== undefined && errnoOf(unusable) === 'EROFS'
  if (unusable !== undefined && !isReadOnly) {
    const message = `${path} cannot be used: ${reasonOf(unusable)}`
    return [broken('CONFIG_UNREADABLE', message, `Run: chmod u+rwx ${path}`, {title, facts})]
  }
  const unwritable = await writeFault(options)
  if (unwritable !== undefined) return [unwritable]
  const ours = (await filesIn(path, DEPTH, OURS)).filter(file => uid === undefined || file.uid === uid)
  const own: Loose = {path, mode: target.mode, isShared: (await readdir(path)).some(name => !OURS.test(name))}
  const loose = platform === 'win32' ? [] : [own, ...ours].filter(isLoose)
  const stale = ours.filter(
    file => LEFTOVER.test(file.name) && file.isFile && options.now - file.changed > STALE_MS,
  )
  return [
    await modes(options, loose),
    ...(stale.length === 0
      ? []
      : [
          await leftovers(
            options,
            stale.map(file => file.path),
          ),
        ]),
  ]
}

/** Writes a file, as far as the disk, and removes it: what the system promises of a disk that fails need not be so. */
async function writeFault({title, path, purpose, variable}: FolderOptions): Promise<Finding | undefined> {
  // The journal may be a mount of its own.
  for (const folder of [path, ...(purpose === 'data' ? [join(path, 'journal')] : [])]) {
    const error = await writeProbe(folder)
    if (error === undefined || (folder !== path && errnoOf(error) === 'ENOENT')) continue
    const message = `${folder} cannot be written: ${reasonOf(error)}`
    const facts = {path, reason: errnoOf(error)}
    const isFull = ['ENOSPC', 'EDQUOT'].includes(errnoOf(error) ?? '')
    if (errnoOf(error) === 'EROFS' && purpose !== 'data') {
      const works =
        purpose === 'config' ? 'Profiles can be used, but not changed.' : 'Commands start more slowly.'
      return doubtful(message, `${works} For a folder that can be written: ${variable}.`, {title, facts})
    }
    const what = isFull
      ? 'Free space there, but delete nothing of cardctl.'
      : (remedyOf(error) ?? `Run: chmod u+rwx ${folder}`)
    return broken(isFull ? 'DISK_FULL' : 'CONFIG_UNREADABLE', message, what, {title, facts})
  }
  return undefined
}

async function writeProbe(folder: string): Promise<unknown> {
  const file = join(folder, `.cardctl-${randomBytes(6).toString('hex')}.tmp`)
  try {
    const handle = await open(file, 'wx', 0o600)
    try {
      await handle.write('0')
      await handle.sync()
    } finally {
      await handle.close()
    }
    return undefined
  } catch (error) {
    return error
  } finally {
    await rm(file, {force: true}).catch(() => undefined)
  }
}

/** The folder doesn't exist yet. Checks whether the first write can create it. */
async function absent({title, path, variable}: FolderOptions): Promise<Finding> {
  const parent = await nearest(path)
  const unusable = await access(parent, constants.W_OK | constants.X_OK).then(() => undefined, reasonOf)
  const facts = {path, exists: false}
  return unusable === undefined
    ? fine(`${path}, not there yet; created on first use`, {title, facts})
    : broken(
        'CONFIG_UNREADABLE',
        `${path} can't be created: ${parent}: ${unusable}`,
        `Choose another place with ${variable}.`,
        {
          title,
          facts,
        },
      )
}

/** The folder, or its nearest parent that exists. */
export async function nearest(path: string): Promise<string> {
  const parent = dirname(path)
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  return isThere || parent === path ? path : nearest(parent)
}

interface Loose {
  readonly path: string
  readonly mode: number
  /** The folder also holds other files, which may be shared on purpose. */
  readonly isShared?: boolean
}

async function modes({title, path, fix}: FolderOptions, loose: readonly Loose[]): Promise<Finding> {
  const facts = {path, exists: true, loose: loose.map(file => file.path)}
  const ours = loose.filter(({isShared}) => isShared !== true)
  if (fix) for (const file of ours) await chmod(file.path, file.mode & 0o700)
  const left = fix ? loose.filter(({isShared}) => isShared === true) : loose
  if (left.length > 0) {
    const what: Hint =
      ours.length === 0 ? `It holds other things too. If nobody else needs it: chmod go= ${path}` : FIX
    return doubtful(`other users have access to ${counted(left)}`, what, {title, facts})
  }
  if (ours.length === 0) return fine(`${path}, yours alone`, {title, facts})
  return fine(`removed the permissions of other users on ${counted(ours)}`, {
    title,
    facts: {...facts, fixed: true},
  })
}

function counted(files: readonly Loose[]): string {
  const [first] = files
  const mode = ((first?.mode ?? 0) & 0o777).toString(8).padStart(4, '0')
  return `${first?.path} (mode ${mode})${files.length === 1 ? '' : ` and ${files.length - 1} more`}`
}

async function leftovers({title, fix}: FolderOptions, paths: readonly string[]): Promise<Finding> {
  const what = `${paths.length} ${paths.length === 1 ? 'file' : 'files'} left behind by killed processes`
  if (!fix) return doubtful(`holds ${what}`, FIX, {title, facts: {stale: paths}})
  for (const path of paths) await rm(path, {force: true})
  return fine(`removed ${what}`, {title, facts: {stale: paths, fixed: true}})
}

interface Inside {
  readonly name: string
  readonly path: string
  readonly mode: number
  readonly uid: number
  readonly changed: number
  readonly isFile: boolean
}

/** Files and folders below a folder. Links are skipped, because their targets aren't ours to change. */
async function filesIn(folderPath: string, depth: number, wanted = /^/): Promise<Inside[]> {
  if (depth === 0) return []
  const names = (await readdir(folderPath).catch((): string[] => [])).filter(name => wanted.test(name))
  const lists = await Promise.all(
    names.map(async name => {
      const path = join(folderPath, name)
      const found = await lstat(path).catch(() => undefined)
      if (found === undefined || !(found.isFile() || found.isDirectory())) return []
      // Node sets the modes of the compile cache itself; the folder around it keeps other users out.
      const isOurs = found.isDirectory() && name !== COMPILED
      const below = isOurs ? await filesIn(path, depth - 1) : []
      const {mode, uid, mtimeMs: changed} = found
      return [{name, path, mode, uid, changed, isFile: found.isFile()}, ...below]
    }),
  )
  return lists.flat()
}

const isLoose = ({mode}: {readonly mode: number}): boolean => (mode & 0o077) !== 0
