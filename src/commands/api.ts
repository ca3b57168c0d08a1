import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../cli/arguments.ts'
import type {Call, Outcome, RequestOptions} from '../cli/client/options.ts'
import {
  allowV2Flags,
  bodyFlags,
  confirmFlags,
  maxPagesFlag,
  proposeFlags,
  watchFlags,
  writeFlags,
} from '../cli/flags.ts'
import {operationCommand, type StepFlags} from '../cli/operation-command.ts'
import {type FetchPage, type PageFlags, pagedItems} from '../cli/pages.ts'
import {printPages} from '../cli/print-pages.ts'
import {noteFile, proveSave, saveFlag, saveResponse} from '../cli/save-response.ts'
import {refuseWatch} from '../cli/watch-read.ts'
import {GROUPS} from '../contract/operation.ts'
import {operations} from '../contract/operations.gen.ts'
import {Failure} from '../errors/failure.ts'
import type {ReceivedHead} from '../http/index.ts'
import {genericListView, genericView} from '../output/generic.ts'
import {transferFlags} from './a2a/shared/transfer-flags.ts'
import {asTransfers} from './a2a/shared/written-batch.ts'
import {freeOperation} from './api/shared/free-operation.ts'
import {readHeaders} from './api/shared/header-flag.ts'
import {printHead} from './api/shared/print-head.ts'
import {operationsAt} from './x/shared/contracts.ts'
import {importedItems} from './x/shared/pages.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

export default class Api extends operationCommand() {
  static override summary = 'Send a request to any path of the service.'
  static override description =
    'Use it for parts of the service that have no command of their own. If the path belongs to an operation of the contract, the request gets the checks, confirmations, journal entries and masks of the command for that operation. Any other write is sent once and never retried. --header refuses what is or may be a secret; the journal keeps the other headers with the request, encrypted, so that requests retry sends them again.'
  static override examples = [
    '<%= config.bin %> api GET /v4/3001',
    '<%= config.bin %> api GET "/v4/customer/1003?size=5" --paginate -o ndjson',
    '<%= config.bin %> api PATCH /v4/CREDIT/2001 -F creditLimit=5000',
    '<%= config.bin %> api GET /v4/3001 --include -H "x-trace-id: 42"',
    {
      description: 'A path that has no command belongs to a group',
      command: '<%= config.bin %> api GET /v1/invoices/17 --group accounts --dry-run',
    },
  ]
  static override args = {
    method: requiredArg('GET, HEAD, POST, PATCH, PUT or DELETE'),
    path: requiredArg('Path with its query, for example /v4/3001'),
  }
  static override flags = {
    group: Flags.option({
      options: GROUPS,
      summary: 'Group whose base URL and prefix to use, if no command has the path.',
    })(),
    paginate: Flags.boolean({summary: 'Fetch all pages of a list.'}),
    ...maxPagesFlag,
    // Without a letter: -i is --interactive on every command.
    include: Flags.boolean({
      summary:
        'Print the status line and the headers of the response first, masked. With -o json, on stderr.',
      exclusive: ['paginate', 'watch'],
    }),
    header: Flags.string({
      char: 'H',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'name:value',
      summary: 'Header to add to the request, without secrets. Repeatable.',
    }),
    ...saveFlag,
    ...watchFlags,
    ...bodyFlags,
    ...writeFlags,
    ...proposeFlags,
    ...confirmFlags,
    ...allowV2Flags,
    ...transferFlags,
  }

  async run() {
    const {args, flags} = await this.parse(Api)
    const method = METHODS.find(name => name === args.method.toUpperCase())
    if (method === undefined) {
      throw new Failure('USAGE', {
        message: `The method must be one of ${METHODS.join(', ')}.`,
        hint: 'For example: api GET /v4/3001',
      })
    }
    const {words, auth, idempotencyHeader, dialect} = await this.target()
    const headers = readHeaders(flags.header, {
      credential: auth.type === 'header' ? auth.name : undefined,
      key: idempotencyHeader,
    })
    const {operation, input: found} = freeOperation(method, args.path, {
      group: flags.group,
      words,
      dialect,
      isAny: flags.save !== undefined,
    })
    const isFree = operation.topic === 'api'
    const wanted = flags.save === undefined || !isFree ? headers : {accept: '*/*', ...headers}
    const input = wanted === undefined ? found : {...found, headers: wanted}
    const described = operation.topic === 'api' ? await operationsAt(this.context, method, args.path) : []
    if (operation.effect === 'read' && (flags.note ?? flags.ticket) !== undefined) {
      throw new Failure('USAGE', {message: 'A read leaves no record, so it takes no --note and no --ticket.'})
    }
    if (flags.watch !== undefined && operation.effect !== 'read') refuseWatch(new Set([operation.effect]))
    if (flags.skeleton) return this.printSkeletonOf(operation)
    const body = await this.bodyOf(operation, flags)
    const call = {operation, input: {...input, ...(body === undefined ? {} : {body})}, described}
    if (await this.isPreviewOf([call], flags)) return undefined
    if (flags.paginate && !Object.hasOwn(operations, operation.id)) return this.freeList(call, flags)
    if (flags.paginate) {
      const fetch: FetchPage = async (query, options) => {
        const page = {...call, input: {...call.input, query: {...call.input.query, ...query}}}
        return (await this.requestOf(page, flags, options)).response.body
      }
      const pages = {all: true, 'max-pages': flags['max-pages'], ...pagingIn(input.query)}
      const walk = () => pagedItems(operation, pages, fetch)
      if (flags.watch !== undefined) return this.repeat(flags.watch, () => walk().items, genericListView)
      return printPages(this.context, walk(), genericListView)
    }
    if (flags.watch !== undefined) {
      const read = async () => (await this.requestOf(call, flags, {paced: true})).response.body ?? null
      return this.repeat(flags.watch, read, genericView)
    }
    if (flags.save !== undefined) await proveSave(this.context, flags.save)
    let raw: unknown
    const unmasked = (came: unknown): void => {
      raw = came
    }
    const options = {...asTransfers(this.context, () => this.client(), call, flags), unmasked}
    const sent = flags.include
      ? this.requestWithHead(call, flags, options)
      : this.requestOf(call, flags, options)
    const {response} = await sent.catch(this.showAsItCame)
    if (flags.save !== undefined) return saveResponse(this.context, flags.save, {response, raw})
    await this.context.printer.data(response.body ?? null, this.withSentFields(call, genericView))
    noteFile(this.context, response, operation.effect)
    return response.body
  }

  /** A list that the contract doesn't describe: its links, cursors and flags lead to the next page. */
  private async freeList(call: Call, flags: StepFlags & PageFlags) {
    const {url} = await (await this.client()).build(call, {uncheckedInput: flags['no-check-input']})
    const {query, path} = {query: call.input.query, path: call.operation.path}
    const own = (name: string) => (Object.hasOwn(query, name) ? {[name]: name} : {})
    const paging = {cursor: 'exclusiveStartKey', ...own('page'), ...own('offset'), ...own('size')}
    const list = {operation: {path, parameters: [], paging}, first: query, here: new URL(url)}
    const walk = () =>
      importedItems(list, flags, async (next, options) => {
        const page = {...call, input: {...call.input, query: next}}
        return (await this.requestOf(page, flags, options)).response
      })
    if (flags.watch === undefined) return printPages(this.context, await walk(), genericListView)
    const items = async function* () {
      yield* (await walk()).items
    }
    return this.repeat(flags.watch, items, genericListView)
  }

  /** Also prints the head of a refusal, which says why more often than its body. */
  private async requestWithHead(call: Call, flags: StepFlags, options: RequestOptions): Promise<Outcome> {
    let head: ReceivedHead | undefined
    try {
      return await this.requestOf(call, flags, {
        ...options,
        received: one => {
          head = one
        },
      })
    } finally {
      if (head !== undefined) await printHead(this.context, head)
    }
  }
}

/** Page settings in the path itself; they determine the page size and where the next page begins. */
function pagingIn({page, size}: Readonly<Record<string, unknown>>): PageFlags {
  return {
    ...(typeof page === 'number' ? {page} : {}),
    ...(typeof size === 'number' ? {'page-size': size} : {}),
  }
}
