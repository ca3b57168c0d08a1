import * as Flags from '@oclif/core/flags'
import {BaseCommand} from '../../cli/base-command.ts'
import {readWebhookContract, webhookJsonSchema, webhookOpenApi} from '../../contract/webhook-contract.ts'
import {webhookContractPage} from './shared/contract-page.ts'
import {findCode, findFields} from './shared/contract-parts.ts'
import {contractCodesView, contractFieldView, webhookContractView} from './shared/contract-view.ts'
import {checksOfRules} from './shared/rule-checks.ts'

export default class WebhookContract extends BaseCommand {
  static override summary =
    'Show each field, rule and response code of authorisation calls and answers, and what it means.'
  static override description =
    'The call, the answer, the response codes, the warm-up, deadlines, repeats, reversals, partial approvals. Each statement says whether it rests on the outline of the service, on known facts, or on a decision of cardctl. With --format, the contract is a page of Markdown, a JSON Schema of the answer (with the calls under $defs) or an OpenAPI 3.1 document.'
  static override examples = [
    '<%= config.bin %> webhook contract',
    '<%= config.bin %> webhook contract --field partialApprovalAmount',
    '<%= config.bin %> webhook contract --code 51',
    '<%= config.bin %> webhook contract --format json-schema > answer.schema.json',
    '<%= config.bin %> webhook contract -o json --query "codes[].code"',
  ]
  static override flags = {
    field: Flags.string({
      helpValue: 'NAME',
      exclusive: ['code', 'format'],
      summary: 'Show the fields with this name or dotted path, with all their values.',
    }),
    code: Flags.string({
      helpValue: 'CODE|all',
      exclusive: ['format'],
      summary: 'Show a response code, by number or name; all lists them.',
    }),
    format: Flags.string({
      options: ['markdown', 'json-schema', 'openapi'],
      summary: 'Print the contract as a document.',
    }),
  }

  async run() {
    const {flags} = await this.parse(WebhookContract)
    const {printer} = this.context
    const contract = await readWebhookContract()
    if (flags.field !== undefined) {
      const found = {fields: findFields(contract, flags.field)}
      await printer.data(found, contractFieldView)
      return found
    }
    if (flags.code !== undefined) {
      const found = findCode(contract, flags.code)
      await printer.data(found, contractCodesView)
      return found
    }
    if (flags.format === 'markdown') {
      return printer.chunk(webhookContractPage(contract, await checksOfRules()))
    }
    if (flags.format === 'json-schema') return this.#document(await webhookJsonSchema())
    if (flags.format === 'openapi') return this.#document(await webhookOpenApi())
    await printer.data(contract, webhookContractView)
    return contract
  }

  /** As JSON, unless another format of data was chosen. */
  async #document(document: unknown): Promise<void> {
    const {printer, outputOptions} = this.context
    if (outputOptions.format !== 'table') return printer.data(document)
    return printer.chunk(`${JSON.stringify(document, null, 2)}\n`)
  }
}
