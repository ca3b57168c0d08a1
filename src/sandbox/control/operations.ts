import manifest from '../../../package.json' with {type: 'json'}
import {KEY_HEADER} from '../../contract/operation.ts'
import {operations} from '../../contract/operations.gen.ts'
import type {Input} from '../../contract/types.ts'
import {Failure} from '../../errors/failure.ts'
import {authorisations} from '../authorisations/operations.ts'
import {advanceClock, clockOffset, instant} from '../clock.ts'
import {seed} from '../demo-data.ts'
import {type Fault, isOperation} from '../faults.ts'
import type {Call, Handlers} from '../handlers.ts'
import {nextId} from '../ids.ts'
import type {SandboxOptions} from '../options.ts'
import {badRequest, existing} from '../problems.ts'
import {KEPT_SETTINGS} from '../seal.ts'
import {loadSnapshot, takeSnapshot} from '../snapshot/state.ts'
import {tableNames} from '../store/tables.ts'
import {setState} from './set-state.ts'
import {stateKinds} from './state-kinds.ts'

const simulated = [
  'All operations of the contract, with their checks: unknown fields are refused and no value is converted.',
  'Idempotency keys, kept for 24 hours by the sandbox clock, across restarts and between processes.',
  'PIN operations with real RSA and 3DES; control ids and tokens expire after 30 seconds and work once.',
  'Settlement of batches by double entry, with failed transfers and reversals.',
  'Rules of accounts, price lists and their periods.',
  'Remote checkout requests that complete later, and fail on characters that the card network refuses.',
  'Authorisations with limits, holds, clearing and the decision of your own endpoint.',
  'Faults, a rate limit, authentication and path prefixes, if you set them.',
]

const notSimulated = [
  'Wallet payloads are well-formed test data; certificates and signatures in requests are not checked.',
  'Interest, invoices, reminders and fees are never booked.',
  'Nothing is sent to anyone but your endpoint: no mail, no letters, no card network.',
  'There are no roles: credentials allow everything, and auditUser is not checked.',
  'Secrets in the state file are encrypted, but the key is in the same file.',
]

/** What is and isn't simulated. */
export function info(now: number, {idempotency = 'documented'}: Pick<SandboxOptions, 'idempotency'>) {
  const about = {name: 'cardctl sandbox', version: manifest.version, now: instant(now)}
  return {...about, idempotency, idempotencyHeader: KEY_HEADER, simulated, notSimulated}
}

export const sandbox: Handlers<'sandbox'> = {
  ...authorisations,

  'sandbox.info': async ({now, service}) => info(now, service.options),
  'sandbox.reset': call => reset(call),
  'sandbox.snapshot.take': call => save(call),
  'sandbox.snapshot.load': (call, {body}) => load(call, body),
  'sandbox.clock.get': call => showClock(call),
  'sandbox.clock.advance': (call, {body}) => moveClock(call, body.advanceMs),

  'sandbox.state.list': ({tx, now}, {path}) => stateKinds[path.kind].list(tx, now),
  'sandbox.state.get': async ({tx, now}, {path}) =>
    existing(await stateKinds[path.kind].get(tx, path.id, now), path.kind),
  'sandbox.state.set': {
    across: async (call, {path, body}) => {
      return setState(call, path.kind, path.id, body)
    },
  },

  'sandbox.faults.list': async ({tx}) => [...(await tx.faults.list())],
  'sandbox.faults.add': (call, {body}) => addFault(call, body),
  'sandbox.faults.clear': call => clearFaults(call),
  'sandbox.faults.remove': ({tx}, {path}) => removeFault(tx, path.id),
}

async function showClock({tx, now}: Call) {
  return {now: instant(now), offsetMs: await clockOffset(tx)}
}

async function moveClock({tx, now}: Call, byMs: number) {
  return {now: instant(now + byMs), offsetMs: await advanceClock(tx, byMs)}
}

/** Restores the demo data. Keeps the keys, so that a thumbprint that a client has pinned stays valid. */
async function reset({tx, sealer, service}: Call) {
  const kept = await Promise.all(KEPT_SETTINGS.map(id => tx.settings.get(id)))
  for (const name of tableNames) await tx[name].clear()
  for (const setting of kept) if (setting) await tx.settings.put(setting)
  await seed(tx, await sealer(), service.now())
  return {description: 'Demo data restored'}
}

/** @throws Problem 400 if the state is too large. */
async function save({service, tx}: Call) {
  const snapshot = await refusing(takeSnapshot(service, tx))
  return {...snapshot, state: [...snapshot.state]}
}

/** @throws Problem 400 for what is no snapshot of this version. */
async function load({service, tx}: Call, given: unknown) {
  const {rows, now} = await refusing(loadSnapshot(service, tx, given))
  return {description: 'Snapshot loaded', rows, now}
}

/** @throws Problem 400 for a Failure INPUT_INVALID. */
async function refusing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'INPUT_INVALID') throw error
    throw badRequest('snapshot-refused', `${error.message} ${error.hint}`)
  }
}

/** @throws Problem 400 if no operation matches the fault. */
async function addFault({tx}: Call, request: Input<'sandbox.faults.add'>['body']): Promise<Fault> {
  const {operation = null} = request
  if (!Object.keys(operations).some(id => isOperation(operation, id))) {
    throw badRequest('operation-unknown', '/operation: a fault cannot hit any operation of this name.')
  }
  const fault: Fault = {
    id: await nextId(tx, 'fault'),
    operation,
    match: request.match ?? {},
    status: request.status ?? null,
    delayMs: request.delayMs ?? 0,
    drop: request.drop ?? null,
    probability: request.probability ?? 1,
    remaining: request.count ?? null,
    struck: 0,
    problem: request.problem ?? null,
    ...(request.headers && {headers: request.headers}),
    ...(request.body !== undefined && {body: request.body}),
  }
  await tx.faults.put(fault)
  return fault
}

async function clearFaults({tx}: Call) {
  const cleared = await tx.faults.count()
  await tx.faults.clear()
  return {description: 'Faults cleared', cleared}
}

/** @throws Problem 404 */
async function removeFault(tx: Call['tx'], id: string) {
  existing(await tx.faults.get(id), 'fault')
  await tx.faults.delete(id)
  return {description: 'Fault removed', cleared: 1}
}
