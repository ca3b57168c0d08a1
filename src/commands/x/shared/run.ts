import type {Call, Outcome, RequestOptions} from '../../../cli/client/options.ts'
import type {Context} from '../../../cli/context.ts'
import {reportMore} from '../../../cli/list-length.ts'
import type {StepFlags} from '../../../cli/operation-command.ts'
import type {PageFlags} from '../../../cli/pages.ts'
import {moreThan, printPages} from '../../../cli/print-pages.ts'
import {confirmReveal, reveal} from '../../../cli/reveal.ts'
import {noteFile, proveSave, saveResponse} from '../../../cli/save-response.ts'
import {sentFields} from '../../../cli/sent-fields.ts'
import type {Looked} from '../../../cli/watch-read.ts'
import {skeleton} from '../../../contract/explain-errors.ts'
import {Failure} from '../../../errors/failure.ts'
import {toOperation, withoutReferences} from '../../../imported/commands.ts'
import type {ImportedOperation, Schema} from '../../../imported/index.ts'
import {viewWithSentFields} from '../../../output/changes.ts'
import {genericListView, genericView} from '../../../output/generic.ts'
import type {ListView, View} from '../../../output/index.ts'
import {type FoundOperation, readBackOf, withoutKeyHeader} from './contracts.ts'
import {importedItems, saysMore} from './pages.ts'
import {readImportedBody, readInput} from './read-call.ts'

export type ImportedFlags = StepFlags &
  PageFlags & {
    readonly skeleton?: boolean
    readonly reveal?: boolean
    readonly keep?: boolean
    readonly save?: string
  }

/** What the command x provides to imported operations, so that they are sent like all others. */
export interface ImportedSender {
  request(call: Call, flags: StepFlags, options?: RequestOptions): Promise<Outcome>
  isPreview(call: Call, flags: StepFlags): Promise<boolean>
  /** The URL of a request without its query, for links in its response. */
  here(call: Call, flags: StepFlags): Promise<URL>
  /** Shows what is read again and again, until Ctrl-C. */
  repeat(everyMs: number, read: () => Looked<unknown>, view: View | ListView): Promise<undefined>
}

export async function runImported(
  context: Context,
  sender: ImportedSender,
  {operation: described, contract}: FoundOperation,
  {args, flags: given}: {readonly args: Readonly<Record<string, unknown>>; readonly flags: ImportedFlags},
): Promise<unknown> {
  const {printer} = context
  const {imported, flags} = await withKeyOf(context, described, given)
  const source = (name: string) => contract.schema(name)
  const schema = withoutReferences(imported.body?.schema, source)
  if (flags.skeleton) {
    const body = schema === undefined ? {} : skeleton(schema)
    await printer.text(JSON.stringify(body, null, 2))
    return body
  }
  const operation = toOperation(imported, source, {
    handsOut: flags.reveal === true,
    digest: () => contract.digest(),
    readBack: readBackOf(context, contract.facts.name, imported),
  })
  const input = await readInput(
    context,
    {imported, contract},
    {args, flags: flags as Record<string, unknown>},
  )
  const body =
    imported.body === undefined
      ? undefined
      : await readImportedBody(context, operation, imported, flags, schema)
  const query = {...input.query, ...sizeOf(imported, flags, source)}
  const call = {operation, input: {...input, query, ...(body === undefined ? {} : {body})}}
  if (flags.curl && body !== undefined && imported.body?.kind !== 'json') {
    throw new Failure('USAGE', {
      message: '--curl shows JSON bodies only, and this one is none.',
      hint: 'See --dry-run.',
      effect: 'none',
    })
  }
  if (await sender.isPreview(call, flags)) return undefined
  const {paging} = imported
  const list =
    paging === undefined
      ? undefined
      : {
          operation: {...imported, paging},
          first: call.input.query,
          here: await sender.here(call, flags),
        }
  if (list !== undefined && (flags.all || flags.limit !== undefined)) {
    const walk = () =>
      importedItems(list, flags, async (query, options) => {
        const page = {...call, input: {...call.input, query}}
        return (await sender.request(page, flags, options)).response
      })
    if (flags.watch !== undefined) {
      const items = async function* () {
        yield* (await walk()).items
      }
      return sender.repeat(flags.watch, items, genericListView)
    }
    return printPages(context, await walk(), genericListView, moreThan(flags))
  }
  if (flags.watch !== undefined) {
    const read = async () => (await sender.request(call, flags, {paced: true})).response.body ?? null
    return sender.repeat(flags.watch, read, genericView)
  }
  if (flags.reveal) return revealed(context, sender, call, flags)
  let raw: unknown
  const unmasked = (body: unknown): void => {
    raw = body
  }
  if (flags.save !== undefined) await proveSave(context, flags.save)
  const isRawNeeded = list !== undefined || flags.save !== undefined
  const {response, requestId} = await sender.request(call, flags, isRawNeeded ? {unmasked} : {})
  if (flags.save !== undefined) {
    const saved = await saveResponse(context, flags.save, {response, raw, accept: imported.accept})
    if (requestId !== undefined) printer.note(`request ${requestId}`)
    return saved
  }
  const sent = operation.effect === 'write' ? sentFields(operation, call.input) : undefined
  const view = sent === undefined ? genericView : viewWithSentFields(genericView, operation.id, sent)
  await printer.data(response.body ?? null, view)
  noteFile(context, response, operation.effect)
  if (requestId !== undefined) printer.note(`request ${requestId}`)
  if (list !== undefined && (await saysMore(list, raw, response.headers))) {
    const {message, reason} = moreThan(flags)
    reportMore(context, message, {reason})
  }
  return response.body
}

/** Takes a value that was passed for the parameter of the profile's idempotency header for the key. */
async function withKeyOf(
  context: Context,
  described: ImportedOperation,
  flags: ImportedFlags,
): Promise<{readonly imported: ImportedOperation; readonly flags: ImportedFlags}> {
  const {imported, taken} = await withoutKeyHeader(context, described)
  if (taken === undefined) return {imported, flags}
  const value = (flags as Readonly<Record<string, unknown>>)[taken.flag]
  if (value !== undefined && flags['idempotency-key'] !== undefined)
    throw new Failure('USAGE', {
      message: `--${taken.flag} and --idempotency-key are the same here: the profile sends keys in ${taken.name}.`,
      hint: `Leave out --${taken.flag}.`,
      effect: 'none',
    })
  return {imported, flags: value === undefined ? flags : {...flags, 'idempotency-key': String(value)}}
}

/** Requests pages as large as --limit needs, up to the document's maximum. */
function sizeOf(
  {paging, parameters}: ImportedOperation,
  {'page-size': size, limit}: PageFlags,
  source: (name: string) => Schema | undefined,
): Record<string, unknown> {
  if (paging?.size === undefined || (size === undefined && limit === undefined)) return {}
  if (size !== undefined) return {[paging.size]: size}
  const schema = parameters.find(({name}) => name === paging.size)?.schema
  const target =
    typeof schema === 'object' && typeof schema.$ref === 'string' ? source(schema.$ref.slice(8)) : schema
  const most = typeof target === 'object' && typeof target.maximum === 'number' ? target.maximum : 100
  return {[paging.size]: Math.min(limit ?? most, most)}
}

async function revealed(
  context: Context,
  sender: ImportedSender,
  call: Call,
  flags: ImportedFlags,
): Promise<unknown> {
  const {operation, input} = call
  const keep = flags.keep ?? false
  const ids = Object.values(input.path).filter(value => typeof value === 'string')
  await confirmReveal(context, {what: operation.summary, card: ids.at(-1) ?? ''}, {reveal: true, keep})
  const {response} = await sender.request(call, flags)
  await reveal(context, {
    operation: operation.id,
    resources: ids,
    result: response.body ?? null,
    view: genericView,
    keep,
  })
  return undefined
}
