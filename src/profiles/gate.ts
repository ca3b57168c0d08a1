import type {Operation} from '../contract/operation.ts'
import {Failure} from '../errors/failure.ts'
import type {Target} from './target.ts'

export interface GateOptions {
  /** `--allow-v2`. */
  readonly allowV2?: boolean
  /** Whether somebody can be asked; with `explicit`, see below. */
  readonly interactive?: boolean
  /** Whether somebody chose the profile: without a terminal a write into one that nobody chose is refused. */
  readonly explicit?: boolean
}

type Gated = Pick<Operation, 'id' | 'group' | 'effect' | 'deprecated' | 'path' | 'summary'>

/**
 * The one gate before http: whether a profile lets an operation through. It goes by the contract's effect, never by the
 * HTTP method. `confirm` means that whoever calls must ask first: on a live profile everything but a read.
 *
 * @throws Failure GATE_REFUSED, PROFILE_NOT_CHOSEN; nothing was sent then.
 */
export function gate(
  target: Pick<Target, 'name' | 'kind' | 'readOnly'>,
  operation: Gated,
  options: GateOptions = {},
): 'free' | 'confirm' {
  const {name, kind, readOnly} = target
  if (operation.group === 'sandbox' && kind !== 'sandbox') {
    throw refused(
      `The profile ${name} is ${kind}; the sandbox's controls exist on a sandbox only.`,
      'Add -p sandbox for the embedded one, or name a profile of kind sandbox.',
    )
  }
  if (operation.effect === 'read') return 'free'
  if (readOnly) {
    throw refused(
      `The profile ${name} is read-only, and "${operation.summary}" ${does[operation.effect]}.`,
      `Choose another profile, or take the mark off with profiles edit ${name}.`,
    )
  }
  requireChosen(operation, options)
  if (kind !== 'live') return 'free'
  if (isOldPin(operation) && !options.allowV2) {
    throw refused(
      `"${operation.summary}" in version v2 is deprecated, and the profile ${name} is live.`,
      'Use version v3; if the service has v2 only, add --allow-v2.',
    )
  }
  return 'confirm'
}

const does = {
  disclose: 'hands out something secret',
  write: 'changes something',
  destroy: 'destroys something',
} as const

/** A job whose home is wrong must not succeed into the embedded toy. The toy's own controls can mean nothing else. */
function requireChosen({effect, group}: Gated, {interactive, explicit}: GateOptions): void {
  if (interactive !== false || explicit !== false || group === 'sandbox' || effect === 'disclose') return
  throw new Failure('PROFILE_NOT_CHOSEN', {
    message: 'Nobody chose a profile, so this write would go to the embedded sandbox.',
    effect: 'none',
  })
}

/** The PIN operations of v2 encipher with short keys. */
function isOldPin({group, deprecated, path}: Gated): boolean {
  return group === 'pin' && deprecated && path.startsWith('/v2/')
}

function refused(message: string, hint: string): Failure {
  return new Failure('GATE_REFUSED', {message, hint, effect: 'none'})
}
