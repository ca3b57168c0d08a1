import {join} from 'node:path'
import {ROOT} from '../../../cli/package-files.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {nearestName} from '../../../errors/nearest-name.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {maskText} from '../../../sensitive/mask-text.ts'
import {chooseSteps, loadSuite, type Suite, showSuite} from '../../../webhook/suite/index.ts'

/** The published schema of suites, for editors. */
export const SUITE_SCHEMA = join(ROOT, 'docs', 'webhook-suite.schema.json')

/** The suites that cardctl brings. They expect only what holds for every endpoint. */
const SHIPPED = ['smoke', 'money', 'identity', 'hostile', 'load'] as const

const shippedFile = (name: string): string => join(ROOT, 'examples', 'suites', `${name}.yaml`)

/** A suite, and the file that it is from. */
export interface OpenedSuite {
  readonly suite: Suite
  /** As the user named it, or the path of a shipped suite. */
  readonly file: string
}

/**
 * @param only names or patterns of the steps to run; all by default.
 * @throws Failure INPUT_INVALID with the errors of the suite by line and column, USAGE if no step has such a name
 */
export async function openSuite(name: string, only: readonly string[] = []): Promise<OpenedSuite> {
  const file = fileOf(name)
  const suite = await suggesting(name, loadSuite(file))
  if (only.length === 0) return {suite, file}
  const chosen = chooseSteps(suite, only)
  if (chosen) return {suite: chosen, file}
  const meant = nearestName(
    only[0] ?? '',
    suite.steps.map(step => step.name),
  )
  throw new Failure('USAGE', {
    message: `No step of ${name} has this name.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    hint: advice`To see its steps: ${cardctl('webhook', 'test', {value: name}, '--list')}`,
  })
}

/** The text of a suite, to copy from. */
export async function suiteText(name: string): Promise<string> {
  return (await suggesting(name, showSuite(fileOf(name)))).trimEnd()
}

const fileOf = (name: string): string =>
  (SHIPPED as readonly string[]).includes(name) ? shippedFile(name) : name

/** A name that is nearly that of a shipped suite is no mistyped path. */
async function suggesting<Value>(name: string, reading: Promise<Value>): Promise<Value> {
  return reading.catch((error: unknown) => {
    const meant = /[./\\]/.test(name) ? undefined : nearestName(name, SHIPPED)
    if (meant === undefined || !(error instanceof Failure) || error.details.data !== undefined) throw error
    throw error.with({
      hint: advice`Did you mean the suite ${meant}? To see all: ${cardctl('webhook', 'test', '--list')}`,
    })
  })
}

/** What `webhook test --list` shows. */
export async function shippedSuites(): Promise<readonly object[]> {
  return Promise.all(
    SHIPPED.map(async name => {
      const {description, steps} = await loadSuite(shippedFile(name))
      return {name, description, steps: steps.length}
    }),
  )
}

/** All of them, in their order. */
export async function openShippedSuites(): Promise<readonly Suite[]> {
  return Promise.all(SHIPPED.map(name => loadSuite(shippedFile(name))))
}

/** The steps of a suite, as a list. */
export const listedSteps = ({suite}: OpenedSuite): readonly object[] =>
  suite.steps.map(({name, verb, at: {line}}) => ({name: maskText(name), does: verb, line}))
