import manifest from '../../../package.json' with {type: 'json'}
import {instant} from '../clock.ts'

const simulated = [
  'All operations of the contract, with their checks: unknown members are refused and nothing is coerced.',
  'Idempotency keys: kept for 24 hours by the clock of the sandbox, across restarts and between processes.',
  'PIN exchange with real RSA and 3DES; control ids and tokens live 30 seconds and are used once.',
  'Batch settlement by double entry, with failed items and reversals.',
  'Rules of accounts, price lists and their periods.',
  'Remote checkout requests that end later, and fail on characters the card network does not take.',
  'Authorisations with limits, holds, clearing and your own webhook in the decision.',
  'Faults, a rate limit, authentication and prefixes, where they are asked for.',
]

const notSimulated = [
  'Wallet payloads are well-formed and marked as tests; certificates and signatures in requests are not checked.',
  'No interest, invoices, reminders or fees are booked, whatever is set for them.',
  'Nothing is sent to anyone but your webhook: no mail, no letters, no card network.',
  'Whoever has the credentials may do everything: there are no roles, and auditUser is not checked.',
  'The state file is sealed against a search, not against its reader: its key lies in it.',
]

/** What is and isn't simulated. */
export function info(now: number) {
  return {name: 'cardctl sandbox', version: manifest.version, now: instant(now), simulated, notSimulated}
}
