import {honoursKey, KEY_HEADER, type Operation} from '../../contract/operation.ts'
import {Failure} from '../../errors/failure.ts'
import {isInterruption} from '../../errors/interruption.ts'
import {isObject} from '../../errors/is-object.ts'
import type {Sender} from '../../http/index.ts'
import {isLoopback} from '../../network/check-url.ts'
import type {Target} from '../../profiles/target.ts'
import type {Context} from '../context.ts'
import {toCall} from './options.ts'

/** Asks the sandbox behind a profile, once, whether it honours the keys that only the profile says it does. */
export class SandboxClaim {
  readonly #context: Context
  readonly #target: Target
  readonly #sender: Sender
  #info: Promise<unknown> | undefined

  constructor(context: Context, target: Target, sender: Sender) {
    this.#context = context
    this.#target = target
    this.#sender = sender
  }

  /** @throws Failure GATE_REFUSED if only the profile says that the key of a write is honoured, and the sandbox denies it. */
  async prove(operation: Operation): Promise<void> {
    if (!isClaimed(operation, this.#target)) return
    this.#info ??= this.#ask()
    refuseWrongClaim(operation, this.#target, await this.#info)
  }

  /** What a sandbox says of itself. A service's own may not say it; then the profile is believed. */
  async #ask(): Promise<unknown> {
    // Past the gate, which knows a sandbox by the kind of its profile alone.
    const {operation, input} = toCall({operation: 'sandbox.info'})
    const {timeout: timeoutMs, retries} = this.#context.flags
    const {signal} = this.#context.surroundings
    this.#context.effects.noteSent(operation)
    const asked = this.#sender.send(this.#sender.build({operation, input}), {timeoutMs, retries, signal})
    return asked.then(
      ({body}) => body,
      (error: unknown) => {
        if (!(error instanceof Failure) || isInterruption(error)) throw error
      },
    )
  }
}

/** A live service is no sandbox; on this machine, what is called live may be one. */
const isClaimed = (operation: Operation, {kind, hosts, ...target}: Target): boolean =>
  (kind !== 'live' || hosts.every(host => isLoopback(new URL(`http://${host}`).hostname))) &&
  target.dialect === undefined &&
  honoursKey(operation, target) &&
  (!operation.idempotent || ownHeader(target) !== undefined)

/** The header that only the profile says carries keys. */
const ownHeader = ({idempotencyHeader: header}: Pick<Target, 'idempotencyHeader'>): string | undefined =>
  header?.toLowerCase() === KEY_HEADER ? undefined : header

/** It is shown as a part of a command. */
const isHeader = (name: unknown): name is string =>
  typeof name === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(name)

function refuseWrongClaim(operation: Operation, target: Target, info: unknown): void {
  const {idempotency, idempotencyHeader: taken}: Record<string, unknown> = isObject(info) ? info : {}
  const own = ownHeader(target)
  const wrong =
    idempotency === 'documented' && !operation.idempotent
      ? [
          'every key is honoured (idempotency: all)',
          'honours the documented ones only',
          'idempotency documented',
        ]
      : own !== undefined && isHeader(taken) && taken.toLowerCase() !== own.toLowerCase()
        ? [`keys are sent as ${own}`, `takes them from ${taken}`, `idempotency-header ${taken}`]
        : undefined
  if (wrong === undefined) return
  const [claim, truth, correction] = wrong
  throw new Failure('GATE_REFUSED', {
    message: `The profile ${target.name} says that ${claim}, and this sandbox ${truth}. A retry could have its effect twice.`,
    hint: `Ask the person who manages the profile to correct its setting: ${correction}.`,
    effect: 'none',
  })
}
