// Each operation succeeds with a request made from the contract alone, and its response is as the contract says: a new
// operation needs no line here.
import {expect, test} from 'vitest'
import type {Effect, Operation} from '../../src/contract/operation.ts'
import {operations} from '../../src/contract/operations.gen.ts'
import type {OperationId} from '../../src/contract/types.ts'
import {ContractFuzz, valuesOf} from '../helpers/contract-fuzz.ts'
import {seeded} from '../helpers/random.ts'
import {testSandbox} from './helpers/sandbox.ts'

/** Requests with keys or ciphertexts, or that need a certain state. The tests of their topics make them. */
const MADE_ELSEWHERE: readonly OperationId[] = [
  'cards.paymentInfo.v3',
  'pin.set.v2',
  'pin.set.v3',
  'pin.tzpk.v2',
  'pin.tzpk.v3',
  'pin.view.v2',
  'pin.view.v3',
  'sandbox.authorisations.clear',
  'sandbox.authorisations.reverse',
  'sandbox.snapshot.load',
  'sandbox.state.set',
  'wallets.provisionA.v1',
]

const TRIES = 1000

const ORDER: readonly Effect[] = ['write', 'disclose', 'read', 'destroy']

/** What makes something comes before its reads, and these before what removes it, one before all. Controls come last. */
const place = ({effect, method, group, pathParams}: Operation): number =>
  (group === 'sandbox' ? 100 : 0) +
  ORDER.indexOf(method === 'DELETE' ? 'destroy' : effect) * 10 -
  pathParams.length

/** What an operation is about: `accounts`, `sandbox.faults`. */
const subject = (operation: string): string => operation.replace(/\.\w+(?:\.v\d+)?$/, '')

/** The ids in what has passed, by the names of their members, and plain ids by what they are of. */
class SeenIds {
  readonly #ids = new Map<string, Set<string>>([['cardNumber', new Set(['4111111111111111'])]])
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  see(about: string, body: unknown): void {
    const shown = JSON.stringify(body).matchAll(/"(id|\w+I[dD]|reference\w*)":"([^"]{1,60})"/g)
    for (const [, name = '', id = ''] of shown) this.#add(name === 'id' ? about : name, id)
  }

  one(name: string, about: string): string {
    const own = this.#random() < 0.6 ? (this.#ids.get(name) ?? this.#ids.get(about)) : undefined
    return this.#pick(own ?? this.#pick(this.#ids.values()))
  }

  #add(name: string, id: string): void {
    this.#ids.set(name, (this.#ids.get(name) ?? new Set()).add(id))
  }

  #pick<Item>(from: Iterable<Item>): Item {
    const items = [...from]
    return items[Math.floor(this.#random() * items.length)] as Item
  }
}

test('every operation responds as the contract says', async () => {
  // Compares every response with the contract.
  const sandbox = await testSandbox()
  const random = seeded(1)
  const seen = new SeenIds(random)
  for (const kind of valuesOf('StateKind'))
    seen.see(`${kind}s`, (await sandbox.send('GET', `/_sandbox/state/${kind}`)).body)
  const fuzz = new ContractFuzz({
    random,
    text: () => 'TEXT',
    id: (name, operation) => seen.one(name, subject(operation)),
  })
  /** Why no request succeeds; undefined if one does. */
  const failureOf = async (id: string): Promise<string | undefined> => {
    let why = ''
    for (let at = 0; at < TRIES; at++) {
      const {method, url, body} = fuzz.request(id)
      const reply = await sandbox.send(method, url, body === undefined ? undefined : JSON.stringify(body))
      if (reply.status < 400) {
        seen.see(subject(id), [reply.body, body])
        return undefined
      }
      why = reply.problem.detail
    }
    return why
  }
  let left = Object.values<Operation>(operations)
    .filter(({id}) => !(MADE_ELSEWHERE as readonly string[]).includes(id))
    .toSorted((a, b) => place(a) - place(b))
  const failures = new Map<string, string>()
  for (let round = 0; round < 3; round++) {
    for (const {id} of left) {
      const why = await failureOf(id)
      if (why === undefined) failures.delete(id)
      else failures.set(id, why)
    }
    left = left.filter(({id}) => failures.has(id))
  }
  expect(Object.fromEntries(failures), 'operations without a success').toEqual({})
})

test('every read is among them', () => {
  expect(MADE_ELSEWHERE.filter(id => operations[id].effect === 'read')).toEqual([])
})
