import {count, counted} from '../../../money/amount.ts'
import {type DetailRow, detail} from '../../../output/detail.ts'
import {bad, dim, escapeText, ok, strong, warn} from '../../../output/styled.ts'
import {blocks, sentence, stack, type View} from '../../../output/view.ts'
import {
  type Certificate,
  type CertifiedCheck,
  type CertifyEvent,
  ENOUGH_CALLS,
  proofsInWords,
  type Used,
} from '../../../webhook/certify/index.ts'
import {BASES, failureLines, failures, reasonLine, stepLine} from './test-view.ts'

/** What a run tells; the certificate comes last. */
export type ShownCertifyEvent = CertifyEvent | ({readonly type: 'certificate'} & Certificate)

/** A line for each check as it ends, then the certificate in short. */
export const webhookCertifyView: View<ShownCertifyEvent> = (event, context) => {
  switch (event.type) {
    case 'part':
      return `\n${sentence([strong(event.part), dim(`  ${event.description}`)], context)}`
    case 'check':
      return stack(
        stepLine(event, context),
        reasonLine(event, context),
        ...failures(event).map(each => failureLines(each, context)),
        event.reproduction && reproductionText(event.reproduction),
      )
    case 'certificate':
      return `\n${blocks(detail({title: event.endpoint, status: STYLES[event.result](resultWords(event)), rows: certificateRows(event)}, context))}`
  }
}

/** More would hide what else failed. */
const MOST_LINES = 110

/** As it can be pasted: the lines are not wrapped. */
export const reproductionText = ({curl, suite}: NonNullable<CertifiedCheck['reproduction']>): string =>
  [
    ...curl.slice(0, MOST_LINES),
    ...(curl.length > MOST_LINES ? [`# and ${curl.length - MOST_LINES} more: see --report json=FILE`] : []),
    ...(suite === undefined
      ? []
      : ['', 'Or as a file for cardctl webhook test:', '', ...suite.trimEnd().split('\n')]),
  ]
    .map(line => `    ${escapeText(line)}`)
    .join('\n')

const STYLES = {passed: ok, limited: warn, incomplete: warn, failed: bad} as const

/** What a result means. A reader who sees nothing else must see how much was not checked. */
export function resultWords(certificate: Certificate): string {
  const {result, counts} = certificate
  const {passed, failed, notChecked, notAsked} = counts
  const of = (some: number) => `${count(some)} of ${counted(passed + failed + notChecked, 'check')}`
  const missing = optionsMissing(certificate)
  const open = notChecked - notAsked
  const said = {
    passed: ['every check was done and passed'],
    limited: ['nothing failed'],
    incomplete: [`nothing failed, but ${of(open)} could not be done`],
    failed: [`${of(failed)} failed`, ...(open > 0 ? [`${count(open)} could not be done`] : [])],
  }[result]
  const more = notAsked === 0 ? [] : [`${of(notAsked)} not asked for${missing}`]
  return `${result}: ${[...said, ...more, ...fewerCalls(certificate)].join('; ')}`
}

/** The flags that checks need, and that were not passed. */
function optionsMissing({checks}: Certificate): string {
  const flags = new Set(checks.flatMap(({options = []}) => options))
  return flags.size === 0 ? '' : ` (they need ${[...flags].join(', ')})`
}

/** What makes a certificate smaller than a whole one. */
function fewerCalls({measured, generated}: Certificate): readonly string[] {
  const {planned = 0, cases = 0} = generated ?? {}
  return [
    ...(measured && measured.calls < ENOUGH_CALLS
      ? [`${count(measured.calls)} of ${count(ENOUGH_CALLS)} timed calls`]
      : []),
    ...(cases < planned ? [`${count(cases)} of ${count(planned)} generated cases`] : []),
  ]
}

/** The facts of a certificate; the same in all its forms. */
export const certificateFacts = (certificate: Certificate): readonly (readonly [string, string])[] => {
  const {startedAt, endedAt, tool, contract, counts, seed, probe, restart, deadlineMs, sha256} = certificate
  return [
    ['Endpoint', certificate.endpoint],
    ['Result', resultWords(certificate)],
    [
      'Checks',
      `${count(counts.passed)} passed, ${count(counts.failed)} failed, ${count(counts.notChecked)} not checked, ${count(counts.notAsked)} of these not asked for`,
    ],
    ['Calls', count(counts.calls)],
    ['Generated', generatedWords(certificate)],
    ['Time', `${startedAt} to ${endedAt}`],
    ['Tool', tool],
    ['Contract', contract],
    ['Seed', `${seed}, of the generated calls: --seed repeats them`],
    ['Deadline', `${count(deadlineMs)} ms`],
    ['Measured', measuredWords(certificate)],
    ['Machine', machineWords(certificate)],
    ['Credentials', credentialWords(certificate)],
    ['Holds', probe ? usedWords('read', probe, 'probe') : 'not seen: no --probe'],
    ['Restart', restart ? usedWords('done', restart, 'restart') : 'not checked: no --restart'],
    ['SHA-256', sha256],
  ]
}

const credentialWords = ({expects, carried}: Certificate): string =>
  expects === null
    ? `calls had: ${proofsInWords(carried)}; nobody declared what the endpoint requires`
    : `the endpoint requires: ${proofsInWords(expects)}, as its owner declared; calls had: ${proofsInWords(carried)}`

const usedWords = (verb: string, {times, failure}: Used, flag: string): string =>
  `${verb} ${counted(times, 'time')} by --${flag}${failure === undefined ? '' : `, then it failed: ${failure}`}`

const generatedWords = ({generated}: Certificate): string =>
  generated === null
    ? 'no calls'
    : `${count(generated.cases)} of ${counted(generated.planned, 'case')} of ${counted(generated.kinds, 'kind')}, ${counted(generated.calls, 'call')}`

const certificateRows = (certificate: Certificate): readonly DetailRow[] =>
  certificateFacts(certificate).filter(([label]) => label !== 'Endpoint' && label !== 'Result')

function measuredWords({measured}: Certificate): string {
  if (!measured) return 'nothing'
  const {calls, asked, rate, late, invalid, ownDelayMs, p50, p95, p99, p999, max} = measured
  const times = Object.entries({p50, p95, p99, 'p99.9': p999, max})
    .filter(([, ms]) => ms !== null)
    .map(([name, ms]) => `${name} ${ms} ms`)
    .join(', ')
  return `${counted(calls, 'call')} at ${rate}/s of ${asked}/s: ${times}; ${count(late)} late, ${count(invalid)} invalid; sent up to ${ownDelayMs} ms late by this machine, which is included`
}

const machineWords = ({machine: {system, processors, processor, memoryGiB, node}}: Certificate): string =>
  `${system}, ${counted(processors, 'processor')} (${processor}), ${memoryGiB} GiB, Node ${node}`

/** What a check rests on: `known`, `decided`. */
export const basisWords = ({basis}: CertifiedCheck): string => basis.map(each => BASES[each]).join('; ')

/** What was expected, in words. */
export const expectedWords = ({checks}: CertifiedCheck): string =>
  [...new Set(checks.map(({expected}) => expected))].join('; ')

/** What came, in words: of a check that failed, only what differs. */
export const gotWords = ({checks, state, reason}: CertifiedCheck): string => {
  const shown = state === 'failed' ? checks.filter(({passed}) => !passed) : checks
  return reason ?? [...new Set(shown.map(({got}) => got))].join('; ')
}
