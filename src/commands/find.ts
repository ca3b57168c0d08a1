import * as Flags from '@oclif/core/flags'
import {areaOf} from '../cli/areas.ts'
import {idFlag, optionalArg} from '../cli/arguments.ts'
import {BaseCommand} from '../cli/base-command.ts'
import {type Client, openClient} from '../cli/client/client.ts'
import {operationFlags} from '../cli/flags.ts'
import type {Guide} from '../cli/guided/guide.ts'
import {situationIn} from '../cli/help/search.ts'
import {importedLine} from '../cli/imported-words.ts'
import {lastFourAdvice} from '../cli/last-four-hint.ts'
import {isForProgram} from '../cli/list-length.ts'
import {printRows} from '../cli/print-rows.ts'
import {helpWith} from '../cli/unknown-command.ts'
import {advice, joinAdvice} from '../errors/advice.ts'
import {Failure} from '../errors/failure.ts'
import {cardctl, type Word} from '../errors/suggested-command.ts'
import {textAt} from '../output/fields.ts'
import type {View} from '../output/index.ts'
import {
  accountsOf,
  type BlockedAccount,
  blockedOf,
  tellBlockedAccounts,
} from './accounts/shared/blocked-account.ts'
import {readCardNumber} from './cards/shared/read-card-number.ts'
import {cardView} from './cards/shared/views.ts'
import {type Found, type Looked, lookUp} from './find/shared/look-up.ts'
import {cardNext, FIRST_PAGE} from './find/shared/places.ts'
import {foundListView} from './find/shared/view.ts'

/** With -p, a history is that of one profile, and what was found may have been changed with another one. */
const withAll = (words: readonly Word[], profile: string | undefined): readonly Word[] =>
  words[0] === 'history' && profile !== undefined ? [...words, '--all-profiles'] : words

const WORD = /^\p{L}{3,24}$/u

/** It claims no operation: it sends reads of other commands. */
export default class Find extends BaseCommand {
  static override summary =
    'Find a card, customer, account, batch, request, job or trace by what you have of it.'
  static override description =
    'Works out what the text can be, looks there side by side, and shows what it finds. It only reads. If several things have the id, you choose one on a terminal; elsewhere it lists them. Nobody can search by the name of a person: the service has no such operation.'
  static override examples = [
    '<%= config.bin %> find 3001',
    '<%= config.bin %> find 900000000003001 -o json',
    {
      description: 'Read the card number from a hidden prompt, or as one line from stdin',
      command: '<%= config.bin %> find --card-number',
    },
  ]
  static override args = {text: optionalArg('Id, reference number, key or trace')}
  /** Words of a question are looked up in the help. */
  static override strict = false
  static override flags = {
    'card-number': Flags.boolean({summary: 'Read a card number from stdin or a hidden prompt.'}),
    bid: idFlag({
      summary: 'CustomerBID of the issuer, to look for enrolled customers. Overrides the profile.',
    }),
    'audit-user': operationFlags['audit-user'],
    strict: operationFlags.strict,
  }

  static override guide: Guide = {
    needs: [{anyOf: ['text', '--card-number'], only: true}],
    anyId: ['text'],
    labels: {'--card-number': 'Card number, typed unseen'},
  }

  async run() {
    const {argv} = await this.parse(Find)
    const text = argv.length === 0 ? undefined : argv.join(' ')
    if (argv.length > 1 && !argv.some(word => WORD.test(String(word))))
      throw new Failure('USAGE', {message: 'Pass one id at a time.'})
    const client = await openClient(this.context, await this.context.service.target())
    try {
      if (text === undefined) return await this.showCardOfNumber(client)
      const answers = await lookUp(this.context, client, text)
      const looked = answers.map(({looked}) => looked)
      const found = answers.flatMap(({found}) => found ?? [])
      if (found.length === 0)
        throw this.nothingFound(text, looked, answers.find(({failure}) => failure)?.failure)
      for (const {what, result, why} of looked)
        if (result === 'failed') this.context.printer.warn(`Could not look for ${what}. ${why}`)
      const report = await this.show(distinct(found), looked)
      const {incomplete} = answers.find(answer => answer.incomplete) ?? {}
      if (incomplete !== undefined) {
        throw incomplete.with({data: {complete: false, reason: 'FAILED', ...incomplete.details.data}})
      }
      return report
    } finally {
      await client.close()
    }
  }

  private nothingFound(text: string, lookedIn: readonly Looked[], failure: Failure | undefined): Failure {
    const places = lookedIn.filter(({result}) => result === 'none').map(({what}) => what)
    const data = {lookedIn}
    if (failure !== undefined) return failure.with({data})
    const skipped = lookedIn.filter(({result}) => result === 'skipped')
    const isLead = importedLine([text, ...this.argv], this.context.surroundings) !== undefined
    const area = isLead ? areaOf(text) : undefined
    const words = text.split(/\s+/)
    const digits = words.find(word => /^\d{4}$/.test(word))
    const isQuestion = words.some(word => WORD.test(word))
    const situation = isQuestion ? situationIn(words) : undefined
    return new Failure('NOT_FOUND', {
      message: `Nothing was found. Looked for ${places.length === 0 ? 'nothing that has such an id' : places.join(', ')}.${situation?.lacks === undefined ? '' : ` ${situation.lacks}`}`,
      hint: joinAdvice(
        [
          ...skipped.map(({what, why}) => `Did not look for ${what}: ${why}`),
          area !== undefined
            ? advice`For commands about ${area.name}: ${this.context.commandLine(area.name)}`
            : situation !== undefined
              ? helpWith(situation)
              : words.every(word => WORD.test(word)) || (words.length > 1 && isQuestion)
                ? advice`The service has no search by name. To list the cards of a customer with their holders: ${cardctl('cards', 'list', '--customer', {value: 'ID'})}. To search the help: ${cardctl('help', '--search', {value: words.join(' ')})}`
                : advice`${joinAdvice([...(digits === undefined ? [] : [lastFourAdvice(digits)]), ...otherWays(words, digits)], ' ')} To find a card by its number: ${cardctl('find', '--card-number')}`,
        ],
        ' ',
      ),
      effect: 'none',
      data,
    })
  }

  private async showCardOfNumber(client: Client) {
    const pan = await readCardNumber(what => this.readSecretLine(what), this.tellAtPrompt)
    const body = await client.cardNumberBody(pan)
    const card = await client.call({operation: 'cards.getByNumber.v4', body})
    const id = textAt(card, 'id')
    const found = [{kind: 'card', id, about: '', value: card, view: cardView, next: cardNext(id)}]
    return this.show(found, [{what: 'a card by number', result: 'found'}])
  }

  private async show(found: readonly Found[], lookedIn: readonly Looked[]) {
    const {printer, outputOptions, interactive, prompter, commandLine, flags} = this.context
    const {profile} = flags
    const shown = await Promise.all(
      found.map(async ({kind, id, about, next: [open = []], value}) => {
        // Only cards have the id of an account.
        const blocked = blockedOf(await accountsOf(this.context, [value].flat()))
        return {
          kind,
          id,
          about: [about, ...blocked.map(shortly)].filter(text => text !== '').join(', '),
          command: commandLine(...withAll(open, profile)).toString(),
          value,
          ...(blocked.length === 0 ? {} : {blockedAccounts: blocked}),
        }
      }),
    )
    const report = {found: shown, lookedIn}
    const ofAll = shown.flatMap(({blockedAccounts = []}) => blockedAccounts)
    const tell = (blocked: readonly BlockedAccount[]): void =>
      tellBlockedAccounts(this.context, [...new Map(blocked.map(one => [one.account, one])).values()])
    const {format, query, columns} = outputOptions
    if (format !== 'table' || query !== undefined || columns !== undefined) {
      const rows = shown.map(({value: _, blockedAccounts: __, ...rest}) => rest)
      await printRows(this.context, report, rows)
      tell(ofAll)
      return report
    }
    const chosen = found.length === 1 ? found[0] : undefined
    const one = chosen ?? (interactive ? await this.choose(found, shown, prompter) : undefined)
    if (one === undefined) {
      await printer.list(shown, foundListView)
      tell(ofAll)
      return report
    }
    await printer.data(one.value, one.view as View)
    const [open] = one.next
    const isFirstPage = !isForProgram(this.context) && Array.isArray(one.value)
    if (isFirstPage && one.value.length >= FIRST_PAGE && open !== undefined)
      printer.note(`These are the first ${one.value.length}. For all: ${commandLine(...open, '--all')}`)
    tell(shown[found.indexOf(one)]?.blockedAccounts ?? [])
    printer.note(
      'What you can do next:',
      ...one.next.map(words => `  ${commandLine(...withAll(words, profile))}`),
    )
    return report
  }

  private async choose(
    found: readonly Found[],
    shown: readonly Pick<Found, 'kind' | 'id' | 'about'>[],
    prompter: typeof this.context.prompter,
  ) {
    const choices = shown.map(({kind, id, about}, at) => ({
      value: String(at),
      name: `${kind} ${id}${about === '' ? '' : `: ${about}`}`,
    }))
    return found[Number(await prompter.choose('Several things have this id', choices))]
  }
}

/** An id that nothing has may be one that no read takes: an account without cards has none. */
const otherWays = (words: readonly string[], digits: string | undefined) =>
  words.length === 1 && /^\d+$/.test(words[0] ?? '')
    ? [
        advice`An account or customer without cards is not found by its id, as the service has no other read of them. What was done to it from this machine: ${cardctl('history', 'account', {value: words[0] ?? ''})}.`,
      ]
    : digits === undefined
      ? ['The service has no search by name.']
      : []

/** Beside the status of its cards, which look healthy. */
const shortly = ({account, status, effect}: BlockedAccount): string =>
  `account ${account} ${effect === 'done' ? 'was' : 'may be'} set to ${status} from this machine`

/** A card found by its id and its reference number is one card. */
const distinct = (found: readonly Found[]): readonly Found[] => [
  ...new Map(found.map(one => [`${one.kind} ${one.id}`, one])).values(),
]

/** If something could not be asked, it isn't known whether there is nothing. */
