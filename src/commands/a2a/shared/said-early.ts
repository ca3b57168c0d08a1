import type {Outcome} from '../../../cli/client/options.ts'
import type {Context} from '../../../cli/context.ts'
import {type Advice, advice} from '../../../errors/advice.ts'
import {textAt} from '../../../output/fields.ts'
import type {Part} from './parts.ts'
import {sumsOfTransfers} from './split-words.ts'

/** Says in a log what to do if it ends before the last batch of several is sent. */
export function sayIfCutOff({interactive, printer}: Context, parts: readonly Part[], again: Advice): void {
  if (interactive || parts.length < 2) return
  printer.fact(`If it is cut off: ${again}`, {code: 'SPLIT_BEGINS', batches: parts.length})
}

/** The same command says what became of each batch, unless it was told to send transfers again. */
export const ifCutOff = (context: Context, line: string | undefined): Advice =>
  line === undefined
    ? advice`find out what became of each batch before anything is sent again: ${context.commandLine('requests', 'list', '--open')}`
    : advice`run the same command again. It says what became of each batch, and sends none twice: ${line}`

/** Says in a log that one batch of several was accepted. */
export function sayAccepted({interactive, printer}: Context, part: Part, {response}: Outcome): void {
  if (interactive || part.of < 2) return
  const batch = textAt(response.body, 'id')
  printer.fact(
    `Batch ${part.number} of ${part.of} accepted${batch === '' ? '' : ` as ${batch}`}: ${sumsOfTransfers(part.transfers)}`,
    {code: 'BATCH_ACCEPTED', batch, number: part.number, batches: part.of},
  )
}
