import type {Caller} from '../send/caller.ts'
import {LOGINS, type Proof} from '../send/forge-credentials.ts'
import {forgeryOf} from '../suite/run-step.ts'
import type {Step} from '../suite/suite-file.ts'
import {type Undone, wantsOption} from './check.ts'

/** By which calls prove to the endpoint who sends them, as its owner declares. */
export type Expected = readonly Proof[]

const WORDS: Readonly<Record<Proof, readonly [what: string, flag: string]>> = {
  signature: ['a signature', '--auth hmac:REF'],
  basic: ['HTTP Basic', '--auth basic:REF'],
  bearer: ['a bearer token', '--auth bearer:REF'],
  header: ['a header with a secret', '--auth header:NAME:REF'],
  mtls: ['a client certificate', '--cert'],
}

/** The names of all. */
export const PROOFS = Object.keys(WORDS) as readonly Proof[]

/** In words: `HTTP Basic and signature`, `none`. */
export const proofsInWords = (proofs: readonly Proof[]): string =>
  proofs.length === 0 ? 'none' : proofs.map(proof => WORDS[proof][0]).join(' and ')

interface Declared {
  readonly caller: Pick<Caller, 'proofs' | 'canForge'>
  /** Undefined if nobody declared it. */
  readonly expects?: Expected | undefined
}

/** Whether a check is about a proof that the endpoint doesn't use, so that it says nothing about the endpoint. */
export function isBeside({spec}: Pick<Step, 'spec'>, {caller, expects}: Declared): boolean {
  const forgery = forgeryOf(spec)
  const proofs = proofsOf(forgery)
  if (expects === undefined || proofs.length === 0) return false
  const used = proofs.filter(proof => expects.includes(proof))
  // A signature without a time can't be too old.
  return (
    used.length === 0 || (used.every(proof => caller.proofs.includes(proof)) && !caller.canForge(forgery))
  )
}

/** Why calls can't be sent as a step wants them. What an owner declares is asked for. */
export function notCarried({spec}: Pick<Step, 'spec'>, {caller, expects}: Declared): Undone {
  const wanted = proofsOf(forgeryOf(spec))
  const missing = wanted.filter(proof => expects?.includes(proof) ?? true)
  if (wanted.some(proof => caller.proofs.includes(proof)))
    return wantsOption('what is signed has no {timestamp}', '--expects')
  const what = missing.map(proof => WORDS[proof][0]).join(' or ')
  const pass = `pass ${missing.map(proof => WORDS[proof][1]).join(' or ')}`
  return expects === undefined
    ? wantsOption(
        `it needs calls with ${what}: ${pass}, or say by --expects what the endpoint uses`,
        '--expects',
      )
    : {reason: `it needs calls with ${what}, as --expects says: ${pass}`, because: 'run'}
}

const proofsOf = ({credentials, signature, certificate}: ReturnType<typeof forgeryOf>): readonly Proof[] => [
  ...(credentials ? LOGINS : []),
  ...(signature ? (['signature'] as const) : []),
  ...(certificate ? (['mtls'] as const) : []),
]
