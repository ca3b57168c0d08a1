import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {dirname, isAbsolute, join} from 'node:path'
import {Failure} from '../../errors/failure.ts'
import {shellQuoted} from '../../errors/suggested-command.ts'
import {errnoOf} from '../../errors/system-reason.ts'
import {fileFailure} from '../../files/file-failure.ts'
import {readOwnFile} from '../../files/open-own-file.ts'
import {foldersOf, type ProfileSurroundings} from '../../profiles/index.ts'
import {SHELLS, type Shell, scripts} from './scripts.ts'

type Given = Pick<ProfileSurroundings, 'env' | 'platform' | 'homedir'>

/** The files of an installation. */
export interface Places {
  readonly shell: Shell
  /** The script, which is ours alone. */
  readonly script: string
  /** The start-up file of the shell that loads it; undefined if the shell finds the script by itself. */
  readonly startup?: string
}

/** The shell of the user, as far as the environment tells. */
export function detectShell({env, platform}: Given): Shell | undefined {
  const name = /([^/\\]+?)(?:\.exe)?$/.exec(env.SHELL ?? '')?.[1] ?? ''
  if (name === 'pwsh') return 'powershell'
  const known = SHELLS.find(shell => shell === name)
  return known ?? (platform === 'win32' ? 'powershell' : undefined)
}

export function placesOf(shell: Shell, given: Given): Places {
  const {env, platform, homedir} = given
  const xdg = env.XDG_CONFIG_HOME
  const config = xdg !== undefined && isAbsolute(xdg) ? xdg : join(homedir, '.config')
  if (shell === 'fish') return {shell, script: join(config, 'fish/completions/cardctl.fish')}
  const extension = shell === 'powershell' ? 'ps1' : shell
  const script = join(foldersOf(given).config, 'completion', `cardctl.${extension}`)
  const startups: Record<Exclude<Shell, 'fish'>, string> = {
    // Terminals of macOS start bash as a login shell, which doesn't read .bashrc.
    bash: join(homedir, platform === 'darwin' ? '.bash_profile' : '.bashrc'),
    zsh: join(env.ZDOTDIR || homedir, '.zshrc'),
    powershell: join(
      platform === 'win32' ? join(homedir, 'Documents', 'PowerShell') : join(config, 'powershell'),
      'Microsoft.PowerShell_profile.ps1',
    ),
  }
  return {shell, script, startup: startups[shell]}
}

const [BEGIN, END] = ['# >>> cardctl completion >>>', '# <<< cardctl completion <<<']

function blockOf({shell, script}: Places): string {
  const load =
    shell === 'powershell'
      ? `if (Test-Path '${script.replaceAll("'", "''")}') { . '${script.replaceAll("'", "''")}' }`
      : `[ -r ${shellQuoted(script)} ] && . ${shellQuoted(script)}`
  return asBytes(`${BEGIN}\n${load}\n${END}\n`)
}

/**
 * A start-up file belongs to the user and may be in any encoding, so each character of its text stands for one byte.
 */
const asBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/** Whether everything is there as `install` writes it. */
export function isInstalled(places: Places): boolean {
  const {shell, script, startup} = places
  if (readText(script) !== asBytes(scripts[shell])) return false
  return startup === undefined || (readText(startup) ?? '').includes(blockOf(places))
}

/** Writes the script, and a marked block that loads it at the end of the start-up file. Once more changes nothing. */
export function install(places: Places): void {
  const {shell, script, startup} = places
  const text = startup === undefined ? '' : withoutBlock(startup, readText(startup) ?? '')
  writeText(script, asBytes(scripts[shell]))
  if (startup === undefined || isInstalled(places)) return
  const separator = text === '' || text.endsWith('\n') ? '' : '\n'
  writeText(startup, `${text}${separator}${blockOf(places)}`)
}

/** What `uninstall` would find: the start-up file only if it has the block. @throws Failure CONFIG_DAMAGED */
export function tracesOf({shell, script, startup}: Places): Places | undefined {
  const text = startup === undefined ? undefined : readText(startup)
  const hasBlock = text !== undefined && startup !== undefined && withoutBlock(startup, text) !== text
  if (!hasBlock) return readText(script) === undefined ? undefined : {shell, script}
  return {shell, script, startup}
}

/** Removes what `install` wrote, and nothing else. Returns whether there was anything. */
export function uninstall({script, startup}: Places): boolean {
  const before = startup === undefined ? undefined : readText(startup)
  const text = before === undefined || startup === undefined ? before : withoutBlock(startup, before)
  const isThere = readText(script) !== undefined || text !== before
  if (startup !== undefined && text !== undefined && text !== before) writeText(startup, text)
  rmSync(script, {force: true})
  return isThere
}

/** A block as it was written: one line between the marks. More is text of the user. */
const BLOCK = new RegExp(`^${BEGIN}\\r?\\n[^\\n]*cardctl[^\\n]*\\n${END}(?:\\r?\\n|$)`, 'gm')

/** @throws Failure CONFIG_DAMAGED if a mark is there that doesn't belong to such a block. */
function withoutBlock(file: string, text: string): string {
  const rest = text.replaceAll(BLOCK, block => (block.slice(BEGIN.length).includes(BEGIN) ? block : ''))
  if (rest.includes(BEGIN) || rest.includes(END)) {
    throw new Failure('CONFIG_DAMAGED', {
      message: `${file} has marks of cardctl that no longer enclose the one line that it wrote.`,
      hint: `Remove "${BEGIN}", "${END}" and the line of cardctl between them yourself, then run the command again.`,
      effect: 'none',
    })
  }
  return rest
}

/** @throws Failure CONFIG_UNREADABLE for what is no regular file; CONFIG_DAMAGED for UTF-16. */
function readText(file: string): string | undefined {
  const text = readOwnFile(file)?.toString('latin1')
  if (text === undefined || !/^(?:\xff\xfe|\xfe\xff)/.test(text)) return text
  throw new Failure('CONFIG_DAMAGED', {
    message: `${file} is UTF-16 text, to which cardctl can't add a line.`,
    hint: 'Save it as UTF-8, then run the command again.',
    effect: 'none',
  })
}

/** As a whole or not at all. A start-up file is often a link into a folder of dot files: the link stays, and its mode. */
function writeText(file: string, text: string): void {
  let unfinished: string | undefined
  try {
    mkdirSync(dirname(file), {recursive: true, mode: 0o700})
    // A link to a file that isn't there now, such as one on a disk that isn't mounted, fails here and stays.
    const target = lstatSync(file, {throwIfNoEntry: false}) ? realpathSync(file) : file
    const mode = statSync(target, {throwIfNoEntry: false})?.mode
    if (mode !== undefined) accessSync(target, constants.W_OK)
    unfinished = `${target}.${process.pid}.cardctl`
    const kept = (mode ?? 0o644) & 0o777
    writeFileSync(unfinished, text, {encoding: 'latin1', flag: 'wx', mode: kept, flush: true})
    renameSync(unfinished, target)
  } catch (error) {
    if (unfinished !== undefined && errnoOf(error) !== 'EEXIST') rmSync(unfinished, {force: true})
    throw fileFailure(file, 'written', error)
  }
}
