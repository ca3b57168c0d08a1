import * as Flags from '@oclif/core/flags'
import {idArg} from '../../cli/arguments.ts'
import {bodyFlags, flagFields, withFields, writeFlags} from '../../cli/flags.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {BODY} from '../../cli/needs.ts'
import {operationCommand} from '../../cli/operation-command.ts'
import {updateView} from '../../output/changes.ts'

const MEMBERS = {code: 'code'}

export default class PricelistsPatch extends operationCommand('pricelists.patch.v1') {
  static override summary = 'Change the code of a price list.'
  static override examples = ['<%= config.bin %> pricelists patch 5001 --code STANDARD-2027']
  static override args = {id: idArg('the price list')}
  static override flags = {code: Flags.string({summary: 'New code.'}), ...bodyFlags, ...writeFlags}

  static override guide: Guide = {
    needs: [{anyOf: ['--code'], or: BODY}],
    fields: flagFields(MEMBERS),
  }

  async run() {
    const {args, flags} = await this.parse(PricelistsPatch)
    const operation = 'pricelists.patch.v1'
    if (flags.skeleton) return this.printSkeleton(operation)
    const body = await this.body(operation, withFields(flags, MEMBERS))
    return this.execute({operation, path: {id: args.id}, body}, flags, updateView('Price list'))
  }
}
