import type {SuiteReport} from '../test-view.ts'
import {reportText} from './report-text.ts'

/** Failed steps as workflow commands: GitHub shows them at the line of the suite's file. */
export function githubAnnotations({steps}: SuiteReport, file: string): readonly string[] {
  return steps.flatMap(({name, line, column, checks}) =>
    checks
      .filter(({passed}) => !passed)
      .map(({expected, got}) => {
        const place = `file=${property(file)},line=${line},col=${column},title=${property(name)}`
        return `::error ${place}::${data(`expected ${expected}, got ${got}`)}`
      }),
  )
}

const data = (text: string): string =>
  reportText(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
