import * as Flags from '@oclif/core/flags'
import {idArg, idFlag} from '../../cli/arguments.ts'
import {bodyFlags, flagFields, withFields} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {BODY, type Given} from '../../cli/needs.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {Failure} from '../../errors/failure.ts'
import {wholeValuesView} from '../../output/whole-values.ts'

const BY_WALLET = {
  walleta: 'wallets.provisionA.v1',
  walletb: 'wallets.provisionB.v1',
  walletc: 'wallets.provisionC.v1',
  issuerwallet: 'wallets.provisionIssuer.v1',
} as const

const MEMBERS = {
  'app-id': 'clientAppID',
  'device-id': 'clientDeviceID',
  'wallet-account-id': 'clientWalletAccountID',
}

/** The opaque payloads that the wallet's app needs to add the card. */
const provisioningView = wholeValuesView('Provisioning data for the wallet')

type Wallet = keyof typeof BY_WALLET

export default class WalletsProvision extends operationCommand(
  'wallets.provisionA.v1',
  'wallets.provisionB.v1',
  'wallets.provisionC.v1',
  'wallets.provisionIssuer.v1',
) {
  static override summary = 'Create the data that a phone needs to add a card to its wallet.'
  static override examples = [
    '<%= config.bin %> wallets provision 3001 --wallet walletc --app-id app --device-id d1 --wallet-account-id w1',
    {
      description: 'What the phone sent',
      command: '<%= config.bin %> wallets provision 3001 --wallet walleta --data @walleta.json -o json',
    },
    '<%= config.bin %> wallets provision 3001 --wallet issuerwallet --provider shopwallet',
    {
      description: 'A test card of the wallet vendor',
      command: '<%= config.bin %> wallets provision --wallet walletb --data @walletb.json -- -1',
    },
  ]
  static override args = {
    card: idArg('the card', {more: ', or -1 to -6 for a test card of the wallet vendor'}),
  }
  static override flags = {
    wallet: Flags.option({
      options: Object.keys(BY_WALLET) as Wallet[],
      required: true,
      summary: 'Wallet to add the card to.',
    })(),
    provider: Flags.string({summary: 'Wallet provider, for issuerwallet.'}),
    'app-id': idFlag({
      of: 'an issuer app on the phone',
      summary: 'Id of the issuer app on the phone, for walletb and walletc.',
    }),
    'device-id': idFlag({of: 'a phone', summary: 'Id of the phone, for walletb and walletc.'}),
    'wallet-account-id': idFlag({
      of: 'an account with the wallet',
      summary: 'Id of the account with the wallet, for walletb and walletc.',
    }),
    ...bodyFlags,
  }

  static override guide: Guide = {
    needs: [
      {anyOf: ['--provider'], or: ['--skeleton'], when: given => given.get('--wallet') === 'issuerwallet'},
      {anyOf: ['--data'], or: BODY, when: given => given.get('--wallet') === 'walleta'},
      ...Object.keys(MEMBERS).map(name => ({
        anyOf: [`--${name}`],
        or: BODY,
        when: (given: Given) => /^wallet[bc]$/.test(String(given.get('--wallet'))),
      })),
    ],
    fields: flagFields(MEMBERS),
    labels: {'--data': 'JSON file with what the phone sent: certificates, nonce and nonceSignature'},
    operation: given => BY_WALLET[given.get('--wallet') as Wallet],
  }

  async run() {
    const {args, flags} = await this.parse(WalletsProvision)
    const operation = BY_WALLET[flags.wallet]
    if (flags.skeleton) return this.printSkeleton(operation)
    if ((flags.wallet === 'issuerwallet') !== (flags.provider !== undefined)) {
      throw new Failure('USAGE', {message: '--provider goes with --wallet issuerwallet, and that needs one.'})
    }
    // issuerwallet takes no body; the contract check refuses one.
    const body = await this.body(operation, withFields(flags, MEMBERS))
    if (operation === 'wallets.provisionIssuer.v1') {
      const path = {cardId: args.card, walletProvider: flags.provider ?? ''}
      return this.execute({operation, path, body}, flags, provisioningView)
    }
    return this.execute({operation, path: {cardId: args.card}, body}, flags, provisioningView)
  }
}
