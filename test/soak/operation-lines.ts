import {commands} from '../../src/commands/index.ts'
import {operationCalls} from '../commands/operation-calls.ts'
import type {Home} from '../helpers/cli.ts'
import {makeDevice} from '../helpers/device.ts'

/** A command line of the soak run: argv, what stands on stdin, and how it must end. */
export interface SoakLine {
  readonly argv: readonly string[]
  readonly stdin?: string
  readonly exit: number
}

type MakeLine = (home: Home) => Promise<SoakLine>

const line =
  (text: string, exit = 0): MakeLine =>
  async () => ({argv: text.split(' '), exit})

/** Operations that the first example of their command does not reach. */
const notByExample: Readonly<Record<string, MakeLine>> = {
  'sandbox.snapshot.load': async home => {
    await home.json(['sandbox', 'snapshot', 'save', 'loaded'])
    return {argv: ['sandbox', 'snapshot', 'load', 'loaded', '--yes'], exit: 0}
  },
  'sandbox.faults.remove': async home => {
    const argv = ['sandbox', 'faults', 'add', '--operation', 'a2a.get.v1', '--status', '503']
    const {id} = await home.json<{id: string}>(argv)
    return {argv: ['sandbox', 'faults', 'remove', id], exit: 0}
  },
  'sandbox.clearings.create': line('sandbox authorizations clear --card 3001 --amount 3.00 --currency EUR'),
}

interface CommandClass {
  readonly claims?: readonly string[]
  readonly examples?: readonly (string | {readonly command: string})[]
}

/** The first example of each command, by the operations that it claims. */
async function examples(): Promise<readonly (readonly [string, MakeLine])[]> {
  const classes = await Promise.all(
    Object.values(commands).map(async load => (await load()).default as unknown as CommandClass),
  )
  return classes.flatMap(({claims = [], examples: [first] = []}) => {
    const text = typeof first === 'object' ? first.command : (first ?? '')
    return claims.map(id => [id, line(text.replace('<%= config.bin %> ', ''))] as const)
  })
}

/** Refusals, whose problems are in the contract too. */
const refusals: Readonly<Record<string, MakeLine>> = {
  'a card that is not there': line('cards get 9999', 5),
  'an account of another type': line('accounts patch 2001 --type debit -F name=Household', 6),
  'an active period': line('pricelists period delete 6001 --yes', 6),
  'a batch that is not there': line('a2a get 1', 5),
  'a control id that is not there': async home => {
    const {publicKeyFile} = await makeDevice(home)
    return {argv: ['pin', 'tzpk', '--control-id', 'env:HOME', '--public-key', publicKeyFile], exit: 5}
  },
  'a transfer from a closed account': line('a2a create --transfer 2008:2007:1.00:EUR:rent --yes', 0),
}

const fromTable = Object.entries(operationCalls).map(([id, make]): [string, MakeLine] => [
  id,
  async home => ({...(await make(home)), exit: 0}),
])

/** Every operation of the contract, by its id, and some refusals. */
export const soakLines: ReadonlyMap<string, MakeLine> = new Map([
  ...(await examples()),
  ...fromTable,
  ...Object.entries(notByExample),
  ...Object.entries(refusals),
])
