import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {Home} from '../helpers/cli.ts'
import {controlId, makeDevice} from '../helpers/device.ts'

/** How a person reaches an operation of the outline. */
export interface OperationCall {
  readonly argv: readonly string[]
  readonly stdin?: string
  /** What the human form must say. */
  readonly says: RegExp
}

type MakeCall = (home: Home) => Promise<OperationCall>

const of =
  (line: string, says: RegExp, stdin?: string): MakeCall =>
  async () => ({argv: line.split(' '), says, ...(stdin === undefined ? {} : {stdin})})

const accountUpdated = /Account 200\d updated/

function view(version: 'v2' | 'v3'): MakeCall {
  return async home => {
    const {publicKeyFile} = await makeDevice(home, version)
    const id = await controlId(home, '7001', 'view')
    const argv = ['pin', 'view', '--control-id', id, '--public-key', publicKeyFile, '--api-version', version]
    return {argv, says: /pinBlock\s+[\w+/=]+/}
  }
}

function tzpk(version: 'v2' | 'v3'): MakeCall {
  return async home => {
    const {publicKeyFile} = await makeDevice(home, version)
    const id = await controlId(home, '7001', 'set')
    const argv = ['pin', 'tzpk', '--control-id', id, '--public-key', publicKeyFile, '--api-version', version]
    return {argv, says: /tzpk\s+[\w+/=]+/}
  }
}

function set(version: 'v2' | 'v3'): MakeCall {
  return async home => {
    const device = await makeDevice(home, version)
    const id = await controlId(home, '7001', 'set')
    const first = ['pin', 'tzpk', '--control-id', id, '--public-key', device.publicKeyFile]
    const answer = await home.json<{tzpk: string}>([...first, '--api-version', version])
    const argv = ['pin', 'set', '--control-id', id, '--pin-block-stdin', '--api-version', version]
    return {argv, stdin: `${device.pinBlock(answer.tzpk, '8253')}\n`, says: /PIN.* set/}
  }
}

/** A command line about a batch that is there. */
function batch(verb: string, says: RegExp): MakeCall {
  return async home => {
    const argv = ['a2a', 'create', '--transfer', '2006:2007:1.00:EUR:rent', '--yes', '--clock-is-right']
    const [made] = await home.json<{id: string}[]>(argv)
    return {argv: ['a2a', verb, made?.id ?? ''], says}
  }
}

async function withBody(home: Home, argv: readonly string[], body: unknown): Promise<readonly string[]> {
  const file = join(home.folder, `${argv.join('-')}.json`)
  await writeFile(file, JSON.stringify(body))
  return [...argv, '--data', `@${file}`]
}

function wallet(name: string, body: unknown, says: RegExp): MakeCall {
  return async home => ({
    argv: await withBody(home, ['wallets', 'provision', '3001', '--wallet', name], body),
    says,
  })
}

const app = {clientAppID: 'app', clientDeviceID: 'device', clientWalletAccountID: 'wallet'}
const BID = 'ISSUER-1'
const trace = /[0-9a-f]{8}-[0-9a-f-]{27}/

/** A customer and a card must be enrolled before anything else can be done to them. */
function enrolled(line: string, says: RegExp): MakeCall {
  return async home => {
    await home.json(['remotecheckout', 'enroll', '--customer', '1001', '--card', '3001', '--bid', BID])
    await home.json(['sandbox', 'clock', 'advance', '1m'])
    return {argv: [...line.split(' '), '--bid', BID], says}
  }
}

/** Each incoming operation of the outline, by its id, in the simplest words that reach it. */
export const operationCalls: Readonly<Record<string, MakeCall>> = {
  'pin.view.v2': view('v2'),
  'pin.tzpk.v2': tzpk('v2'),
  'pin.set.v2': set('v2'),
  'pin.view.v3': view('v3'),
  'pin.tzpk.v3': tzpk('v3'),
  'pin.set.v3': set('v3'),
  'cards.get.v4': of('cards get 3001', /Card 3001\s+CARD_OK/),
  'cards.getByNumber.v4': of('cards get --pan-stdin', /Card 3001\s+CARD_OK/, '4111 1111 1111 1111\n'),
  'cards.getByReference.v4': of('cards get --reference 900000000003001', /Card 3001\s+CARD_OK/),
  'cards.listByCustomer.v4': of('cards list --customer 1003', /3101\s+CARD_OK/),
  'cards.listByAccount.v4': of('cards list --account 2001', /3001\s+CARD_OK/),
  'cards.paymentInfo.v3': async home => {
    const {publicKeyFile} = await makeDevice(home)
    return {argv: ['cards', 'payment-info', '3001', '--public-key', publicKeyFile], says: /cvv2\s+[\w+/=]+/}
  },
  'cards.controlToken.v4': of('cards control-token 3001', /cardDataFrameUrl\s+http/),
  'cards.listByCustomer.v3': of('cards list --customer 1003 --api-version v3', /3101\s+CARD_OK/),
  'cards.listByAccount.v3': of('cards list --account 2001 --api-version v3', /3001\s+CARD_OK/),
  'cards.get.v3': of('cards get 3001 --api-version v3', /Card 3001\s+CARD_OK/),
  'accounts.patchCredit.v4': of('accounts patch 2001 --type credit -F creditLimit=5000', accountUpdated),
  'accounts.patchCreditReminder.v4': of(
    'accounts reminder 2001 -F reminder1TriggerDate=2027-01-15',
    accountUpdated,
  ),
  'accounts.patchDebit.v4': of('accounts patch 2002 --type debit -F name=Household', accountUpdated),
  'accounts.patchPrepaid.v4': of('accounts patch 2003 --type prepaid -F reason=gift', accountUpdated),
  'accounts.patchFleet.v4': of('accounts patch 2004 --type fleet -F paymentTerms=45', accountUpdated),
  'accounts.patchMulticurrency.v4': of(
    'accounts patch 2005 --type MULTICURR_EUR_FI -F externalBalanceCheck=true',
    accountUpdated,
  ),
  'accounts.patch.v3': of('accounts patch 2001 --api-version v3 -F reason=checked', accountUpdated),
  'accounts.updateProperty.v3': of('accounts update-property 2001 DELETE_ADDRESS', accountUpdated),
  'pricelists.patch.v1': of('pricelists patch 5001 -F code=STANDARD-2027', /Price list 5001 updated/),
  'pricelists.delete.v1': async home => {
    // With its active period it could not be deleted.
    const argv = ['sandbox', 'state', 'set', 'period', '6001', '-F', 'validTo=2026-01-01T00:00:00Z']
    await home.run(argv)
    return {argv: ['pricelists', 'delete', '5001', '--confirm', '5001'], says: /Price list 5001 deleted/}
  },
  'pricelists.patchPeriod.v1': of('pricelists period patch 6003 -F value=2.5', /period 6003 updated/),
  'pricelists.deletePeriod.v1': of('pricelists period delete 6003 --yes', /period 6003 deleted/),
  'a2a.create.v1': of('a2a create --transfer 2006:2007:12.50:EUR:rent --yes', /Batch \d+\s+\w+/),
  'a2a.list.v1': async home => {
    await batch('list', /./)(home)
    return {argv: ['a2a', 'list'], says: /COMPLETED/}
  },
  'a2a.get.v1': batch('get', /2006/),
  'a2a.status.v1': batch('status', /Batch \d+\s+COMPLETED/),
  'wallets.provisionA.v1': wallet(
    'walleta',
    {certificates: [Buffer.from('certificate').toString('base64')], nonce: '00ff', nonceSignature: '00ff'},
    /activationData\s+[\w+/=]+/,
  ),
  'wallets.provisionB.v1': wallet('walletb', app, /digitizationData\s+[\w+/=]+/),
  'wallets.provisionC.v1': wallet('walletc', app, /digitizationData\s+[\w+/=]+/),
  'wallets.provisionIssuer.v1': of(
    'wallets provision 3001 --wallet issuerwallet --provider shopwallet',
    /digitizationData\s+[\w+/=]+/,
  ),
  'remotecheckout.enrollCustomer.v1': of(
    `remotecheckout enroll --customer 1002 --card 3003 --bid ${BID}`,
    trace,
  ),
  'remotecheckout.enrollCard.v1': enrolled('remotecheckout enroll --card 3002', trace),
  'remotecheckout.getCustomer.v1': enrolled('remotecheckout get --customer 1001', /ACTIVE/),
  'remotecheckout.deleteCard.v1': enrolled('remotecheckout delete --card 3001 --confirm 3001', trace),
  'remotecheckout.deleteCustomer.v1': enrolled('remotecheckout delete --customer 1001 --yes', trace),
  'remotecheckout.updateCard.v1': enrolled(
    'remotecheckout update --card 3001 -F cardOverrides.city=Oslo',
    trace,
  ),
  'remotecheckout.updateCustomerStatus.v1': enrolled(
    'remotecheckout update --customer 1001 --no-active',
    trace,
  ),
  'remotecheckout.updateCustomer.v1': enrolled(
    'remotecheckout update --customer 1001 -F overrides.phones[0]=358401234567',
    trace,
  ),
  'remotecheckout.status.v1': async home => {
    const argv = ['remotecheckout', 'enroll', '--customer', '1001', '--card', '3001', '--bid', BID]
    const {requestTraceId} = await home.json<{requestTraceId: string}>(argv)
    return {argv: ['remotecheckout', 'status', requestTraceId], says: /IN_PROGRESS|COMPLETED/}
  },
}
