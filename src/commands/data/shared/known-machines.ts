import {join} from 'node:path'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {readOwnFile} from '../../../files/open-own-file.ts'
import {placeFile} from '../../../files/place-file.ts'

/** A machine whose key somebody compared and vouched for here. */
export interface KnownMachine {
  readonly fingerprint: string
  /** What it is called here. Its own exports may claim any name. */
  readonly name?: string | undefined
}

/** One a line: the fingerprint of its key, and its name if it has one. */
export const trustedIn = (data: string): string => join(data, 'trusted-machines')

export const knownMachines = (data: string): readonly KnownMachine[] =>
  (readOwnFile(trustedIn(data))?.toString('utf8') ?? '').split('\n').flatMap(line => {
    const [fingerprint = '', ...words] = line.split(' ')
    if (fingerprint === '') return []
    return [{fingerprint, name: words.length === 0 ? undefined : words.join(' ')}]
  })

export const knownMachine = (data: string, fingerprint: string): KnownMachine | undefined =>
  knownMachines(data).find(known => known.fingerprint === fingerprint)

/** Without a name, a known machine keeps the one that it has. @throws Failure USAGE if another machine has the name. */
export function rememberMachine(data: string, {fingerprint, name}: KnownMachine): void {
  const others = knownMachines(data).filter(known => known.fingerprint !== fingerprint)
  if (name !== undefined && others.some(known => known.name === name)) {
    throw new Failure('USAGE', {
      message: `${name} is the name of another machine here.`,
      hint: advice`Choose another name. See: ${cardctl('data', 'keys')}`,
      effect: 'none',
    })
  }
  const kept = name ?? knownMachine(data, fingerprint)?.name
  write(data, [...others, {fingerprint, name: kept}])
}

/** @throws Failure NOT_FOUND */
export function forgetMachine(data: string, fingerprint: string): void {
  const known = knownMachines(data)
  const rest = known.filter(one => one.fingerprint !== fingerprint)
  if (rest.length === known.length)
    throw new Failure('NOT_FOUND', {
      message: `No machine is known here by the key ${fingerprint}.`,
      effect: 'none',
    })
  write(data, rest)
}

function write(data: string, machines: readonly KnownMachine[]): void {
  const lines = machines.map(({fingerprint, name}) =>
    name === undefined ? fingerprint : `${fingerprint} ${name}`,
  )
  placeFile(trustedIn(data), lines.map(line => `${line}\n`).join(''), {replace: true})
}

const LETTERS = /^[a-p]{32}$/

/** A fingerprint as somebody copied it: capitals and missing hyphens don't matter. @throws Failure USAGE */
export function readFingerprint(text: string): string {
  const letters = text.trim().toLowerCase().replaceAll('-', '')
  if (LETTERS.test(letters)) return inGroups(letters)
  throw new Failure('USAGE', {
    message: 'This is not the key of a machine: it has 32 letters from a to p, in groups of 4.',
    hint: advice`Copy it from the output on that machine of ${cardctl('data', 'keys')}`,
    effect: 'none',
  })
}

/** In groups of 4, so that people can compare it. */
export const inGroups = (letters: string): string => letters.match(/.{4}/g)?.join('-') ?? letters

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u

/** @throws Failure USAGE */
export function readMachineName(text: string): string {
  if (NAME.test(text)) return text
  throw new Failure('USAGE', {
    message: 'The name of a machine has at most 40 letters, digits, spaces, points, hyphens and underscores.',
    effect: 'none',
  })
}
