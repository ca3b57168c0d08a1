import * as Flags from '@oclif/core/flags'
import {idFlag, optionalIdArg} from '../../cli/arguments.ts'
import type {CommandCall, RequestOptions} from '../../cli/client/options.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {nameNext} from '../../cli/next-step.ts'
import {operationCommand, type StepFlags} from '../../cli/operation-command.ts'
import type {OperationId} from '../../contract/types.ts'
import {Failure} from '../../errors/failure.ts'
import {textAt} from '../../output/fields.ts'
import type {View} from '../../output/index.ts'
import {AccountsOfCards} from '../accounts/shared/blocked-account.ts'
import {readCardNumber} from './shared/read-card-number.ts'
import {cardOnAccount} from './shared/views.ts'

/** Statuses that somebody gave the card: who? */
const NOT_IN_USE = /BLOCKED|FRAUD|LOST|STOLEN|CLOSED/

export default class CardsGet extends operationCommand(
  'cards.get.v4',
  'cards.getByNumber.v4',
  'cards.getByReference.v4',
  'cards.get.v3',
) {
  static override summary = 'Show a card by id, reference number or card number (PAN).'
  static override examples = [
    '<%= config.bin %> cards get 3001',
    '<%= config.bin %> cards get --reference 900000000003001',
    {
      description: 'Read the card number from a hidden prompt, or as one line from stdin',
      command: '<%= config.bin %> cards get --pan-stdin',
    },
    '<%= config.bin %> cards get 3001 --query status -o json',
  ]
  static override args = {id: optionalIdArg('the card')}
  static override flags = {
    reference: idFlag({
      summary: 'Reference number of the card.',
      exclusive: ['pan-stdin', 'api-version'],
    }),
    'pan-stdin': Flags.boolean({
      summary: 'Read the card number from stdin or a hidden prompt.',
      exclusive: ['api-version'],
    }),
    'api-version': Flags.option({options: ['v3', 'v4'] as const, summary: 'v3 is deprecated.'})(),
  }

  static override guide: Guide = {
    needs: [{anyOf: ['id', '--reference', '--pan-stdin'], only: true}],
    labels: {'--pan-stdin': 'Card number, typed unseen'},
  }

  async run() {
    const card = await this.card()
    if (NOT_IN_USE.test(textAt(card, 'status'))) {
      nameNext(this.context, 'what was done to it from here', 'history', 'card', {value: textAt(card, 'id')})
    }
    await this.#accounts?.tell()
    return card
  }

  /** Also for each read of --watch. */
  protected override async request<Each extends OperationId>(
    call: CommandCall<Each>,
    flags: StepFlags,
    options?: RequestOptions,
  ) {
    const sent = await super.request(call, flags, options)
    this.#accounts ??= new AccountsOfCards(this.context)
    this.#accounts.see(sent.response.body)
    if (this.context.outputOptions.format === 'table') await this.#accounts.lookUp()
    if (flags.watch !== undefined) await this.#accounts.tell()
    return sent
  }
  #accounts: AccountsOfCards | undefined

  private async card() {
    const {args, flags} = await this.parse(CardsGet)
    const cardView: View = (card, context) => cardOnAccount(this.#accounts?.of(card))(card, context)
    const given = [args.id, flags.reference, flags['pan-stdin'] || undefined].filter(
      value => value !== undefined,
    )
    if (given.length > 1) {
      throw new Failure('USAGE', {message: 'Pass only one of an id, --reference and --pan-stdin.'})
    }
    if (flags['pan-stdin']) {
      const body = await this.cardNumberBody()
      return this.execute({operation: 'cards.getByNumber.v4', body}, flags, cardView)
    }
    if (flags.reference !== undefined) {
      const path = {refNumber: flags.reference}
      return this.execute({operation: 'cards.getByReference.v4', path}, flags, cardView)
    }
    const path = {id: args.id ?? ''}
    const operation = flags['api-version'] === 'v3' ? 'cards.get.v3' : 'cards.get.v4'
    return this.execute({operation, path}, flags, cardView)
  }

  private async cardNumberBody(): Promise<unknown> {
    const pan = await readCardNumber(what => this.readSecretLine(what), this.tellAtPrompt)
    return (await this.client()).cardNumberBody(pan)
  }
}
