import type {Context} from '../../../cli/context.ts'
import {keptHead} from '../../../cli/keep-requests.ts'
import {Turns} from '../../../cli/pace.ts'
import {keepPlan} from '../../../cli/plan-requests.ts'
import {PlanState} from '../../../cli/plan-state.ts'
import type {KeptRequest} from '../../../cli/proposal-content.ts'
import {stateReader} from '../../../cli/seen-state.ts'
import {keepMapping} from '../../../cli/sheet/named-mapping.ts'
import type {ShownPlan} from '../../../cli/shown-plan.ts'
import type {AnyInput} from '../../../contract/operation.ts'
import {Failure} from '../../../errors/failure.ts'
import {proveNewFile} from '../../../files/named-output.ts'
import {digestOfFile} from '../../../input/file-digest.ts'
import {holdsCardNumber} from '../../../sensitive/card-number.ts'
import {holdsCredential} from '../../../sensitive/mask-text.ts'
import {warnOfTwo} from './confirm.ts'
import {readJobRows} from './load-rows.ts'
import {bulkOperation} from './operation.ts'
import {type readingOf as Reading, readingOf} from './start-job.ts'
import {withClient, withJobs} from './with-jobs.ts'

type PlanFlags = Omit<Parameters<typeof Reading>[3], 'precheck' | 'unordered' | 'allow-empty'> & {
  readonly out: string
}

interface ReadRow {
  readonly row: number
  readonly line: number
  readonly input: AnyInput
}

/**
 * Reads the rows of a file, looks at what they change, and writes a plan.
 *
 * @throws Failure INPUT_INVALID, which lists bad rows by number; nothing was written then.
 */
export async function planRows(context: Context, id: string, flags: PlanFlags): Promise<ShownPlan> {
  const {printer} = context
  await proveNewFile(flags.out)
  const operation = await bulkOperation(context, id)
  if (operation.effect === 'read')
    throw new Failure('USAGE', {
      message: `${id} changes nothing, so there is nothing to plan.`,
      effect: 'none',
    })
  return withJobs(context, store =>
    withClient(context, async client => {
      const {target} = client
      const sender = await client.rows(operation)
      const head = await keptHead(context, client)
      const digest = await digestOfFile(flags.from)
      const reading = await readingOf(
        context,
        store,
        {job: '', sender, target},
        {...flags, precheck: true, unordered: false, 'allow-empty': false},
      )
      const rows: ReadRow[] = []
      const found = await readJobRows(reading, async ({row, line, values}) => {
        rows.push({row, line, input: await reading.toInput(values)})
      })
      warnOfTwo(context, found)
      if ((await digestOfFile(flags.from)) !== digest)
        throw new Failure('INPUT_INVALID', {
          message: `${flags.from} changed while it was read.`,
          effect: 'none',
        })
      for (const one of rows) refuseUnfit(one, context.flags['not-a-card-number'])
      await keepMapping(context, flags['save-mapping'], operation.id, reading.file.used)
      const turns = new Turns(context)
      const progress = await printer.progress('rows')
      const state = new PlanState(operation, store.journal, await stateReader(client, operation, turns))
      const requests: KeptRequest[] = []
      try {
        await state.readAll(
          rows.map(({input}) => input),
          count => progress.update({done: count, total: rows.length}),
        )
        for (const {input, ...place} of rows) {
          if (await state.add(input, place))
            requests.push({
              operation: operation.id,
              ...(operation.form && {digest: operation.form.digest()}),
              input,
            })
        }
      } finally {
        progress.stop()
        await turns.close()
      }
      const source = digest === undefined ? undefined : {name: flags.from, digest}
      const plan = {profile: target.name, ...(source && {source}), ...state.found}
      const known = new Map([[operation.id, operation]])
      return keepPlan(context, store.journal, {...head, requests, plan}, known, flags.out)
    }),
  )
}

/** @throws Failure INPUT_INVALID for what a plan must not keep, because others read it. */
function refuseUnfit({row, input}: ReadRow, isNoCardNumber: boolean | undefined): void {
  const text = JSON.stringify(input)
  if (holdsCredential(text))
    throw new Failure('INPUT_INVALID', {
      message: `Row ${row} holds a credential, and others read plans.`,
      hint: 'Leave the row out of the plan.',
      effect: 'none',
    })
  if (isNoCardNumber || !holdsCardNumber(text)) return
  throw new Failure('INPUT_INVALID', {
    message: `Row ${row} holds what looks like a card number, and others read plans.`,
    hint: 'If it is none, add --not-a-card-number.',
    effect: 'none',
  })
}
