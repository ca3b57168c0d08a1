import * as Flags from '@oclif/core/flags'
import {currencyFlag, idFlag} from '../../cli/arguments.ts'
import {bodyFlags, flagFields} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {Failure} from '../../errors/failure.ts'
import {exitOf} from '../../errors/registry.ts'
import {parseAmount} from '../../money/amount.ts'
import {textAt} from '../../output/fields.ts'
import {chooseScenario, DEFAULT_SCENARIO} from '../webhook/shared/choose-scenario.ts'
import {authorisationView} from './shared/authorisation-views.ts'
import {ASKING_MS, askedByEmbedded, sandboxWebhookFlags} from './shared/outgoing-calls.ts'

export default class SandboxAuthorize extends operationCommand('sandbox.authorisations.create') {
  static override summary =
    `Authorise a purchase in the sandbox, with all checks and your webhook; exit ${exitOf('DECLINED')} if declined.`
  static override examples = [
    '<%= config.bin %> sandbox authorize --card 3001 --amount 12.50 --currency EUR',
    '<%= config.bin %> sandbox authorize --card 3001 --amount 120 --currency EUR --scenario fuel',
    '<%= config.bin %> sandbox authorize --card 3001 --scenario hotel',
    {
      description: 'Raise the hold of an earlier one',
      command: '<%= config.bin %> sandbox authorize --card 3001 --amount 20 --currency EUR --transaction t_1',
    },
    {
      description: 'In another terminal: an endpoint that decides',
      command: '<%= config.bin %> webhook serve --port 8484',
    },
    '<%= config.bin %> sandbox authorize --card 3001 --amount 12.50 --currency EUR --webhook-url http://127.0.0.1:8484',
  ]
  static override flags = {
    card: idFlag({of: 'a card', required: true, summary: 'Id of the card.'}),
    amount: Flags.string({
      summary: "Amount; 0 verifies the account and holds nothing (default the scenario's).",
    }),
    currency: currencyFlag({
      summary: "Currency of the amount, such as EUR (default the scenario's).",
    }),
    scenario: Flags.string({
      summary: 'Kind of purchase (default contactless); webhook scenarios lists them.',
    }),
    transaction: idFlag({
      of: 'a transaction of an earlier authorisation',
      summary: 'Id of the transaction of an earlier authorisation, to raise its hold.',
    }),
    'wrong-pin': Flags.boolean({summary: 'Let the cardholder enter a wrong PIN.'}),
    ...sandboxWebhookFlags,
    ...bodyFlags,
  }

  static override guide: Guide = {
    sets: {
      ...flagFields({card: 'cardId', amount: 'amount', currency: 'currency', scenario: 'scenario'}),
      ...flagFields({transaction: 'transactionId', 'wrong-pin': 'wrongPin'}),
    },
  }

  async run() {
    const {flags} = await this.parse(SandboxAuthorize)
    const operation = 'sandbox.authorisations.create'
    if (flags.skeleton) return this.printSkeleton(operation)
    const {example} = chooseScenario(flags.scenario ?? DEFAULT_SCENARIO)
    this.embedded = await askedByEmbedded(this.context, flags)
    const currency = flags.currency ?? example.currency
    const amount = flags.amount && (await this.context.numbers.read(flags.amount, '--amount', currency))
    const body = await this.body(operation, flags, {
      cardId: flags.card,
      amount: amount === undefined ? undefined : Number(parseAmount(amount, currency).text),
      currency: flags.currency,
      scenario: flags.scenario,
      transactionId: flags.transaction,
      wrongPin: flags['wrong-pin'] || undefined,
    })
    const authorisation = await this.execute({operation, body}, flags, authorisationView, {
      timeoutMs: ASKING_MS,
    })
    if (textAt(authorisation, 'status') === 'DECLINED') {
      const [code, by, reason] = ['responseCode', 'decidedBy', 'reason'].map(name =>
        textAt(authorisation, name),
      )
      throw new Failure('DECLINED', {
        message: `Declined with ${code} by ${by}: ${reason}`,
        effect: 'none',
      })
    }
    return authorisation
  }
}
