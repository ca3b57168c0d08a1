import {planParts} from '../../../cli/plan-view.ts'
import type {ShownPlan} from '../../../cli/shown-plan.ts'
import {escapeText} from '../../../output/styled.ts'
import {localTime} from '../../../output/when.ts'
import {maskText} from '../../../sensitive/mask-text.ts'
import {type PageClock, reportPage} from '../../report/shared/report-page.ts'

/** A plan as one self-contained page. */
export function planPage(plan: ShownPlan, clock: PageClock): string {
  const {title, facts, tables} = planParts(plan, millis => localTime(millis, clock))
  return reportPage(title, facts, clock, tables)
}

/** A plan as Markdown, for a ticket or a pull request. */
export function planMarkdown(plan: ShownPlan, clock: PageClock): string {
  const {title, facts, tables} = planParts(plan, millis => localTime(millis, clock))
  const parts = tables
    .filter(({rows}) => rows.length > 0)
    .map(({heading, columns, rows}) =>
      [
        `## ${heading}`,
        '',
        row(columns),
        row(columns.map(() => '---')),
        ...rows.map(cells => row(cells.map(markdownText))),
      ].join('\n'),
    )
  const list = facts
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `- ${label}: ${markdownText(value)}`)
  return [`# ${title}`, list.join('\n'), ...parts].join('\n\n')
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** Text that Markdown shows as it is: nothing in it is a link, an image or HTML. */
const markdownText = (value: string): string =>
  escapeText(maskText(value))
    .replace(/[\\`*_[\]|<>~]/g, sign => `\\${sign}`)
    .replaceAll('://', ':\\/\\/')
