import * as Flags from '@oclif/core/flags'
import {requiredArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import {readPlan} from '../../cli/plan-file.ts'
import {planView} from '../../cli/plan-view.ts'
import {shownPlan} from '../../cli/shown-plan.ts'
import {knownOperations} from '../requests/shared/known-operations.ts'
import {appliedHere} from './shared/applied-here.ts'
import {planMarkdown, planPage} from './shared/pages.ts'

export default class PlanShow extends BaseCommand {
  static override summary = 'Show what a plan would change, row by row.'
  static override description =
    'Reads only the file. The page and the Markdown hold what the file holds, so give them to the same people only.'
  static override examples = [
    '<%= config.bin %> bulk plan accounts patch --type credit --from limits.csv --out limits.plan',
    '<%= config.bin %> plan show limits.plan',
    '<%= config.bin %> plan show limits.plan --format html > limits.html',
  ]
  static override args = {plan: requiredArg('File of the plan')}
  static override flags = {
    format: Flags.option({
      options: ['text', 'html', 'markdown'] as const,
      default: 'text' as const,
      summary: 'Print a page or Markdown, for others to read.',
    })(),
  }

  async run() {
    const {args, flags} = await this.parse(PlanShow)
    const {printer, surroundings} = this.context
    const {id, content} = await readPlan(args.plan, surroundings.signal)
    const known = await knownOperations(this.context, content.requests)
    const shown = {
      ...shownPlan(id, content, known),
      applied: await appliedHere(this.context, id, content.service),
    }
    if (flags.format === 'text') await printer.data(shown, planView)
    else {
      const clock = {now: surroundings.now(), timeZone: surroundings.env.TZ}
      await printer.text(flags.format === 'html' ? planPage(shown, clock) : planMarkdown(shown, clock))
    }
    return shown
  }
}
