import * as Flags from '@oclif/core/flags'
import {currencyFlag, idFlag, optionalIdArg} from '../../../cli/arguments.ts'
import {bodyFlags, flagFields} from '../../../cli/flags.ts'
import type {Guide} from '../../../cli/guided/guide.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {exitOf} from '../../../errors/registry.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {textAt} from '../../../output/fields.ts'
import {clearingView} from '../shared/authorisation-views.ts'

const OF_AN_AUTHORISATION = 'sandbox.authorisations.clear'
const ALONE = 'sandbox.clearings.create'

export default class SandboxAuthorizationsClear extends operationCommand(OF_AN_AUTHORISATION, ALONE) {
  static override summary =
    `Clear an authorisation, or post a clearing without one; exit ${exitOf('REFUSED')} if the sandbox refuses it.`
  static override examples = [
    '<%= config.bin %> sandbox authorizations clear a_0 --amount 1.20 --not-final',
    '<%= config.bin %> sandbox authorizations clear a_0',
    {
      description: 'A clearing without an authorisation',
      command: '<%= config.bin %> sandbox authorizations clear --card 3001 --amount 5 --currency EUR',
    },
  ]
  static override args = {
    id: optionalIdArg('the authorisation', {more: '; omit it to post a clearing without one'}),
  }
  static override flags = {
    amount: Flags.string({
      summary: 'Amount to post, in the currency of the purchase (default: all that is held).',
    }),
    'not-final': Flags.boolean({summary: 'Keep the rest of the hold for further clearings.'}),
    card: idFlag({of: 'a card', summary: 'Id of the card, for a clearing without an authorisation.'}),
    currency: currencyFlag({summary: 'Currency such as EUR, for a clearing without an authorisation.'}),
    ...bodyFlags,
  }

  static override guide: Guide = {
    sets: flagFields({card: 'cardId', amount: 'amount', currency: 'currency', 'not-final': 'final'}),
  }

  async run() {
    const {args, flags} = await this.parse(SandboxAuthorizationsClear)
    refuseMixed(args.id, flags)
    const operation = args.id === undefined ? ALONE : OF_AN_AUTHORISATION
    if (flags.skeleton) return this.printSkeleton(operation)
    if (args.id === undefined) requireFlags(flags)
    const body = await this.body(operation, flags, {
      cardId: flags.card,
      amount: await this.context.numbers.amount(flags.amount, '--amount'),
      currency: flags.currency,
      final: flags['not-final'] ? false : undefined,
    })
    const call =
      args.id === undefined
        ? ({operation: ALONE, body} as const)
        : ({operation: OF_AN_AUTHORISATION, path: {id: args.id}, body: body ?? {}} as const)
    const clearing = await this.execute(call, flags, clearingView)
    if (textAt(clearing, 'status') === 'REFUSED') {
      throw new Failure('REFUSED', {
        message: `The clearing was refused: ${textAt(clearing, 'reason')}.`,
        hint: 'Nothing was posted, and the hold stays as it is.',
        effect: 'none',
      })
    }
    return clearing
  }
}

/** What a clearing without an authorisation needs, unless --data gives its body. */
function requireFlags(flags: {
  card?: string | undefined
  amount?: string | undefined
  currency?: string | undefined
  data?: string | undefined
  field?: string[] | undefined
  'raw-field'?: string[] | undefined
}): void {
  if ((flags.data ?? flags.field ?? flags['raw-field']) !== undefined) return
  const unsaid = (['card', 'amount', 'currency'] as const).filter(name => flags[name] === undefined)
  if (unsaid.length === 0) return
  throw new Failure('USAGE', {
    message: `A clearing without an authorisation needs ${unsaid.map(name => `--${name}`).join(' and ')}.`,
    hint: advice`To clear an authorisation, pass its id. List them: ${cardctl('sandbox', 'authorizations', 'list')}`,
  })
}

/** Each kind of clearing has flags that don't apply to the other. */
function refuseMixed(
  id: string | undefined,
  flags: {card?: string | undefined; currency?: string | undefined; 'not-final': boolean},
): void {
  if (id === undefined && flags['not-final']) {
    throw new Failure('USAGE', {
      message: '--not-final keeps the rest of a hold, but without an authorisation there is no hold.',
      hint: 'Pass the id of the authorisation, or omit --not-final.',
    })
  }
  const [extra] = (['card', 'currency'] as const).filter(name => flags[name] !== undefined)
  if (id === undefined || extra === undefined) return
  throw new Failure('USAGE', {
    message: `--${extra} is for a clearing without an authorisation; ${id} has its own ${extra}.`,
    hint: `Omit --${extra}; --amount is in the currency of the purchase.`,
  })
}
