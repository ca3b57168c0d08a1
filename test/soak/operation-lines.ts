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

/** A command line about an authorisation that is there. */
const authorised =
  (verb: string): MakeLine =>
  async home => {
    const argv = ['sandbox', 'authorize', '--card', '3001', '--amount', '12.50', '--currency', 'EUR']
    const {id} = await home.json<{id: string}>(argv)
    return {argv: ['sandbox', 'authorizations', verb, id], exit: 0}
  }

/** The operations that are no part of the outline. */
const extensions: Readonly<Record<string, MakeLine>> = {
  'cards.plastics.v3': line('cards plastics 3001'),
  'pincontrol.create.v2': line('pincontrol create 7001 --scope view'),
  'sandbox.info': line('sandbox info'),
  'sandbox.reset': line('sandbox reset --yes'),
  'sandbox.snapshot.take': line('sandbox snapshot save a-snapshot'),
  'sandbox.snapshot.load': async home => {
    await home.json(['sandbox', 'snapshot', 'save', 'loaded'])
    return {argv: ['sandbox', 'snapshot', 'load', 'loaded', '--yes'], exit: 0}
  },
  'sandbox.clock.get': line('sandbox clock show'),
  'sandbox.clock.advance': line('sandbox clock advance 25h'),
  'sandbox.state.list': line('sandbox state list account'),
  'sandbox.state.get': line('sandbox state show card 3001'),
  'sandbox.state.set': line('sandbox state set card 3001 -F status=CARD_BLOCKED'),
  'sandbox.faults.add': line('sandbox faults add --operation a2a.get.v1 --status 503 --count 1'),
  'sandbox.faults.list': line('sandbox faults list'),
  'sandbox.faults.clear': line('sandbox faults clear'),
  'sandbox.faults.remove': async home => {
    const argv = ['sandbox', 'faults', 'add', '--operation', 'a2a.get.v1', '--status', '503']
    const {id} = await home.json<{id: string}>(argv)
    return {argv: ['sandbox', 'faults', 'remove', id], exit: 0}
  },
  'sandbox.authorisations.list': line('sandbox authorizations list'),
  'sandbox.authorisations.create': line('sandbox authorize --card 3001 --amount 12.50 --currency EUR'),
  'sandbox.authorisations.get': authorised('show'),
  'sandbox.authorisations.reverse': authorised('reverse'),
  'sandbox.authorisations.clear': authorised('clear'),
  'sandbox.clearings.create': line('sandbox authorizations clear --card 3001 --amount 3.00 --currency EUR'),
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
  ...fromTable,
  ...Object.entries(extensions),
  ...Object.entries(refusals),
])
