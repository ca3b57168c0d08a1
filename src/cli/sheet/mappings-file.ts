import {realpath} from 'node:fs/promises'
import {join} from 'node:path'
import {advice} from '../../errors/advice.ts'
import {Failure} from '../../errors/failure.ts'
import {isObject, parseObject} from '../../errors/is-object.ts'
import {nearestName} from '../../errors/nearest-name.ts'
import {cardctl} from '../../errors/suggested-command.ts'
import {fileFailure} from '../../files/file-failure.ts'
import {readConfiguration} from '../../files/open-own-file.ts'
import {replaceFile} from '../../files/replace-file.ts'
import {makeFolder} from '../../profiles/folder-modes.ts'
import {withLock} from '../../profiles/lock.ts'
import {isProfileName} from '../../profiles/profile-name.ts'
import type {Context} from '../context.ts'

/** What a command was told of a spreadsheet, kept by name for others with the same headings. */
export interface KeptMapping {
  readonly name: string
  /** Id of the operation that it is for. */
  readonly operation: string
  /** `COLUMN=FIELD` */
  readonly map: readonly string[]
  /** `FIELD=VALUE` */
  readonly fill: readonly string[]
  readonly sheet?: string
  /** The headings of the file. */
  readonly headings: readonly string[]
}

/** The format of mappings.json. */
const SCHEMA = 1
/** In bytes. A larger file isn't a list of mappings. */
const LARGEST = 4 * 1024 * 1024

const fileOf = ({folders}: Pick<Context, 'folders'>): string => join(folders.config, 'mappings.json')

/** By name. @throws Failure CONFIG_DAMAGED, CONFIG_UNREADABLE */
export function readMappings(context: Pick<Context, 'folders'>): readonly KeptMapping[] {
  const file = fileOf(context)
  const bytes = readConfiguration(file, LARGEST)
  if (bytes === undefined) return []
  const document = parseObject(bytes.toString('utf8'))
  const mappings = document?.schema === SCHEMA ? document.mappings : undefined
  if (!isObject(mappings)) throw damaged(file)
  return Object.entries(mappings)
    .map(([name, entry]) => mappingIn(name, entry) ?? damaged(file, name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** @throws Failure USAGE if there is none of that name */
export function findMapping(context: Pick<Context, 'folders'>, name: string): KeptMapping {
  const all = readMappings(context)
  return all.find(each => each.name === name) ?? notFound(name, all)
}

/** Keeps a mapping in place of another one of its name, which is returned. */
export async function writeMapping(context: Context, mapping: KeptMapping): Promise<KeptMapping | undefined> {
  let former: KeptMapping | undefined
  await edit(context, all => {
    former = all.find(({name}) => name === mapping.name)
    return [...all.filter(one => one !== former), mapping]
  })
  return former
}

/** @throws Failure USAGE if there is none of that name */
export async function removeMapping(context: Context, name: string): Promise<void> {
  findMapping(context, name)
  await edit(context, all => all.filter(each => each.name !== name))
}

/** @throws Failure USAGE for a name that no mapping can have */
export function checkMappingName(name: string): void {
  if (isProfileName(name)) return
  throw new Failure('USAGE', {
    message:
      'The name of a mapping has at most 63 lower-case letters, digits, . _ and -, and begins and ends with a letter or digit.',
    hint: 'For example --save-mapping acme-payroll.',
    effect: 'none',
  })
}

async function edit(
  context: Context,
  change: (all: readonly KeptMapping[]) => readonly KeptMapping[],
): Promise<void> {
  const {platform, now, signal} = context.surroundings
  const file = fileOf(context)
  for (const {message} of makeFolder(context.folders.config, platform)) context.printer.note(message)
  await withLock(file, {now, signal}, async lock => {
    const mappings = Object.fromEntries(
      change(readMappings(context)).map(({name, ...entry}) => [name, entry]),
    )
    // People who keep the folder under version control link to the file.
    const target = await realpath(file).catch(() => file)
    lock.assertHeld()
    try {
      await replaceFile(target, [`${JSON.stringify({schema: SCHEMA, mappings}, undefined, 2)}\n`])
    } catch (error) {
      throw fileFailure(file, 'written', error)
    }
  })
}

function mappingIn(name: string, entry: unknown): KeptMapping | undefined {
  if (!isObject(entry)) return undefined
  const {operation, map, fill, sheet, headings} = entry
  if (typeof operation !== 'string' || !areTexts(map) || !areTexts(fill) || !areTexts(headings))
    return undefined
  if (sheet !== undefined && typeof sheet !== 'string') return undefined
  return {name, operation, map, fill, ...(sheet === undefined ? {} : {sheet}), headings}
}

const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(each => typeof each === 'string')

function notFound(name: string, all: readonly KeptMapping[]): never {
  const meant = nearestName(
    name,
    all.map(each => each.name),
  )
  throw new Failure('USAGE', {
    message: `There is no mapping of that name.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint: advice`To see those that are kept, run: ${cardctl('mappings', 'list')}`,
    effect: 'none',
  })
}

function damaged(file: string, name?: string): never {
  throw new Failure('CONFIG_DAMAGED', {
    message:
      name === undefined || !isProfileName(name)
        ? `${file} is no list of mappings that this version reads; it was left as it is.`
        : `${file} has a mapping ${name} that is damaged; it was left as it is.`,
    hint: 'Correct the file, or move it away and keep the mappings again with --save-mapping.',
    effect: 'none',
  })
}
