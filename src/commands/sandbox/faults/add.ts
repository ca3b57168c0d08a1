import * as Flags from '@oclif/core/flags'
import {splitField} from '../../../cli/body.ts'
import {bodyFlags, durationFlag, flagFields, integerFlag} from '../../../cli/flags.ts'
import type {Guide} from '../../../cli/guided/guide.ts'
import {operationCommand} from '../../../cli/operation-command.ts'
import {Failure} from '../../../errors/failure.ts'
import {sandboxFaultsView} from '../shared/views.ts'

export default class SandboxFaultsAdd extends operationCommand('sandbox.faults.add') {
  static override summary =
    'Add a fault: an error status, a delay, or a connection dropped before or after the effect.'
  static override examples = [
    '<%= config.bin %> sandbox faults add --operation a2a.create.v1 --drop after --count 1',
    '<%= config.bin %> sandbox faults add --operation accounts.patchCredit.v4 --status 503 --probability 0.2',
    '<%= config.bin %> sandbox faults add --status 503 --header Retry-After:120 --count 3',
    "<%= config.bin %> sandbox faults add --operation 'cards.*' --status 200 --body-text '<html>Log in</html>'",
    '<%= config.bin %> sandbox faults add --operation cards.get.v4 --match path:id=3002 --delay 3s',
  ]
  static override flags = {
    operation: Flags.string({
      summary: 'Id of the operation, or a prefix with *, for example cards.* (default: every operation).',
    }),
    match: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'path:id=3001',
      summary: 'Only requests with this value: path:NAME, query:NAME or /pointer/into/body. Repeatable.',
    }),
    status: integerFlag({min: 200, max: 599, summary: 'Respond with this status, without an effect.'}),
    header: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'name:value',
      summary: 'Header of that response, for example Retry-After:120. Repeatable.',
      dependsOn: ['status'],
    }),
    'body-text': Flags.string({
      summary: 'Text of that response in place of a problem: a page of a proxy, or JSON that is cut off.',
      dependsOn: ['status'],
    }),
    delay: durationFlag({summary: 'Wait this long before the response.'}),
    drop: Flags.option({
      options: ['before', 'after'] as const,
      summary: 'Drop the connection before or after the effect.',
    })(),
    probability: Flags.string({summary: 'Probability of the fault, from 0 to 1 (default 1).'}),
    count: integerFlag({min: 1, summary: 'Number of requests to affect (default: no limit).'}),
    ...bodyFlags,
  }

  static override guide: Guide = {
    sets: {
      ...flagFields({operation: 'operation', match: 'match', status: 'status', header: 'headers'}),
      ...flagFields({
        'body-text': 'body',
        delay: 'delayMs',
        drop: 'drop',
        probability: 'probability',
        count: 'count',
      }),
    },
  }

  async run() {
    const {flags} = await this.parse(SandboxFaultsAdd)
    const operation = 'sandbox.faults.add'
    if (flags.skeleton) return this.printSkeleton(operation)
    const probability = flags.probability === undefined ? undefined : Number(flags.probability)
    if (probability !== undefined && !(probability >= 0 && probability <= 1)) {
      throw new Failure('USAGE', {message: '--probability takes a number from 0 to 1.'})
    }
    const match = flags.match && Object.fromEntries(flags.match.map(matched))
    const {operation: of, status, delay: delayMs, drop, count} = flags
    const body = await this.body(operation, flags, {
      operation: of,
      match,
      status,
      headers: flags.header && Object.fromEntries(flags.header.map(headerOf)),
      body: flags['body-text'],
      delayMs,
      drop,
      probability,
      count,
    })
    return this.execute({operation, body}, flags, sandboxFaultsView)
  }
}

function headerOf(argument: string): [string, string] {
  const [, name, value] = /^([\w-]+):[ \t]*([\x20-\x7e]*)$/.exec(argument) ?? []
  if (name !== undefined && value !== undefined) return [name, value]
  throw new Failure('USAGE', {message: '--header takes name:value, for example Retry-After:120.'})
}

function matched(argument: string): [string, string] {
  const {path, text} = splitField(argument, '--match', 'path:id=3001')
  return [path, text]
}
