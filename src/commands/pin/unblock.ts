import {optionalIdArg} from '../../cli/arguments.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {advice} from '../../errors/advice.ts'
import {Failure} from '../../errors/failure.ts'
import {numberAt} from '../../output/fields.ts'
import {NewPinCommand, newPinFlags} from './shared/new-pin-command.ts'
import {pinUnblockedView} from './shared/views.ts'

/** Wrong tries of a PIN, as the service counts them. */
interface WrongTries {
  readonly counter: number | undefined
  readonly max: number | undefined
}

export default class PinUnblock extends NewPinCommand {
  static readonly sendsAs = ['pin', 'set'] as const
  static override summary = 'Unblock the PIN of a card after too many wrong tries, by setting a new PIN.'
  static override description =
    'The service has no operation that only resets the wrong tries: a new PIN does. Reads the card before and after, and does nothing if the PIN is not blocked.'
  static override examples = [
    {
      description: '6: declined. Three wrong PINs in a row block it',
      command:
        'for try in 1 2 3; do <%= config.bin %> sandbox authorize --card 3001 --amount 5 --currency EUR -F wrongPin=true -p sandbox; done',
    },
    '<%= config.bin %> pin unblock 3001',
  ]
  static override args = {card: optionalIdArg('the card', {more: ' (not on live profiles)'})}
  static override flags = newPinFlags

  static override secretInput = 'the new PIN'
  static override guide: Guide = {needs: [{anyOf: ['card']}], labels: {card: 'Id of the card'}}

  async run() {
    const {args, flags} = await this.parse(PinUnblock)
    const card = await this.cardForPin(args.card)
    if (await this.isPreview([{operation: 'cards.plastics.v3', path: {id: card}}], flags)) return undefined
    const before = await this.wrongTries(card)
    const {counter, max} = before
    if (counter !== undefined && max !== undefined && counter < max) {
      throw new Failure('USAGE', {
        message: `The PIN of card ${card} is not blocked: ${counter} of ${max} wrong tries.`,
        hint: advice`To set a new PIN anyway, run: ${this.context.commandLine('pin', 'set', {value: card})}`,
        effect: 'none',
      })
    }
    this.context.printer.note('The service has no operation that unblocks a PIN. A new PIN does.')
    const set = await this.setNewPin(card, flags)
    const result = {...set, wrongTries: {before, after: await this.wrongTries(card)}}
    await this.context.printer.data(result, pinUnblockedView)
    return result
  }

  private async wrongTries(card: string): Promise<WrongTries> {
    const found = await (await this.client()).call({operation: 'cards.get.v4', path: {id: card}})
    return {counter: numberAt(found, 'pinAttempts.counter'), max: numberAt(found, 'pinAttempts.max')}
  }
}
