import {optionalArg} from '../../cli/arguments.ts'
import {BaseCommand} from '../../cli/base-command.ts'
import type {Guide} from '../../cli/guided/guide.ts'
import {exitOf} from '../../errors/registry.ts'
import {listedSteps, openSuite, SUITE_SCHEMA, shippedSuites, suiteText} from './shared/suites.ts'
import {printSuite, suiteFailure, testEndpoint, testFlags} from './shared/test.ts'
import {suiteStepsView, suitesView} from './shared/test-view.ts'

export default class WebhookTest extends BaseCommand {
  static override summary = 'Test an endpoint with a suite of calls and what is expected of each.'
  static override description = [
    'Runs the steps of a suite one after another and checks each answer. A suite is a file, YAML or NDJSON, or the name of a shipped one: smoke, money, identity, hostile, load. The shipped suites expect only what holds for every endpoint. A file from webhook events export is a suite too: it expects the recorded decisions. The format of suites: cardctl help webhook-tests.',
    `Exit codes: 0 if every expectation is met; ${exitOf('EXPECTATION_FAILED')} if one is not; ${exitOf('NOTHING_CHECKED')} if no step could be checked; ${exitOf('CONNECTION_FAILED')} if nobody answers the first call; ${exitOf('INPUT_INVALID')} if the suite has errors, by line and column.`,
  ].join('\n\n')
  static override examples = [
    {
      description: 'In another terminal: your endpoint, or this one',
      command: '<%= config.bin %> webhook serve --port 8484 --rules suite-rules.yaml',
    },
    '<%= config.bin %> webhook test smoke --to http://127.0.0.1:8484',
    {
      description: 'Your own suite, with a report for the pipeline and one for people',
      command:
        '<%= config.bin %> webhook test suite.yaml --to http://127.0.0.1:8484 --report junit=junit.xml --report html=report.html',
    },
    {
      description: '11: some rules are missing. Recorded calls, which must be decided as they were',
      command: '<%= config.bin %> webhook test calls.ndjson --to http://127.0.0.1:8484',
    },
    '<%= config.bin %> webhook test --list',
    {description: 'A suite to copy from', command: '<%= config.bin %> webhook test smoke --show'},
  ]
  static override args = {suite: optionalArg('Suite: a file, or the name of a shipped one')}
  static override flags = testFlags

  static override guide: Guide = {
    needs: [
      {anyOf: ['suite'], or: ['--list', '--schema']},
      {anyOf: ['--to'], or: ['--list', '--show', '--schema']},
    ],
  }

  async run() {
    const {args, flags} = await this.parse(WebhookTest)
    const {printer} = this.context
    if (flags.schema) return printer.text(SUITE_SCHEMA)
    if (flags.list && args.suite === undefined) return printer.list(await shippedSuites(), suitesView)
    const name = args.suite ?? ''
    if (flags.show) return printer.text(await suiteText(name))
    const opened = await openSuite(name, flags.only)
    if (flags.list) return printer.list(listedSteps(opened), suiteStepsView)
    const report = await printSuite(this.context, opened, flags, testEndpoint(this.context, opened, flags))
    const failure = suiteFailure(this.context, report)
    if (failure) throw failure
    return report
  }
}
