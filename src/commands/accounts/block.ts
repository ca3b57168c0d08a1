import {idArg} from '../../cli/arguments.ts'
import {Failure} from '../../errors/failure.ts'
import {isInterruption} from '../../errors/interruption.ts'
import {counted} from '../../money/amount.ts'
import {listAt, textAt} from '../../output/fields.ts'
import {AccountChange, accountFlags, accountGuide, reasonFlag} from './shared/account-change.ts'

/** Cards that are named one by one. */
const MOST_SHOWN = 10

export default class AccountsBlock extends AccountChange {
  static override summary = 'Block an account (status ACCOUNT_BLOCKED).'
  static override examples = [
    '<%= config.bin %> accounts block 2001 --type credit',
    '<%= config.bin %> accounts block 2001 --type credit --reason "Reported by the customer"',
  ]
  static override args = {id: idArg('the account')}
  static override flags = {...reasonFlag, ...accountFlags}
  static override guide = accountGuide('status')

  /** Says which cards stop working, if the service tells them: who blocks an account for one card learns of the others. */
  private async tellCards(id: string): Promise<void> {
    try {
      const path = {accountId: id}
      const sent = await this.request(
        {operation: 'cards.listByAccount.v4', path, query: {size: MOST_SHOWN}},
        {},
        {paced: true},
      )
      const cards = listAt({cards: sent.response.body}, 'cards')
      if (cards.length === 0) return
      const count =
        cards.length === MOST_SHOWN ? `${MOST_SHOWN} cards or more` : counted(cards.length, 'card')
      const named = cards.map(card => `${textAt(card, 'id')} (${textAt(card, 'status')})`).join(', ')
      this.context.printer.note(
        `While account ${id} is blocked, none of its cards works: ${count}, ${named}.`,
      )
    } catch (error) {
      // The block itself matters more, and says what is wrong.
      if (!(error instanceof Failure) || isInterruption(error)) throw error
    }
  }

  async run() {
    const {args, flags} = await this.parse(AccountsBlock)
    const isSent = !(flags['dry-run'] || flags.curl || flags.propose || flags.plan !== undefined)
    if (isSent && this.context.interactive) await this.tellCards(args.id)
    return this.change(args.id, flags, {status: 'ACCOUNT_BLOCKED'})
  }
}
