import {generalVariables} from '../../src/cli/environment.ts'
import {variableOf} from '../../src/profiles/environment.ts'
import {settingList} from '../../src/profiles/settings.ts'
import type {FlagForm} from '../../src/profiles/value-types.ts'
import {code, table} from './markdown.ts'

const PAGE = 'docs/environment.md'
const [BEGIN, END] = ['<!-- variables -->\n', '<!-- /variables -->\n']

/** docs/environment.md with a new table of variables; the rest of the page is written by hand. */
export function environmentPage(page: string): string {
  const [before, rest = ''] = page.split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error(`${PAGE} lacks the marks of the table of variables.`)
  return `${before}${BEGIN}${variablesTable()}\n${END}${after}`
}

const FORMS: Partial<Readonly<Record<FlagForm, string>>> = {
  boolean: '1 or 0',
  duration: 'duration',
  list: 'list',
  pairs: 'pairs',
  secret: 'reference',
}

function variablesTable(): string {
  const general = generalVariables.map(({name, flag, meaning}) => [
    code(name),
    meaning,
    flag === undefined ? '' : code(`--${flag}`),
  ])
  const settings = new Map<string, {shown: string; form: string}>()
  for (const {name, setting} of settingList) {
    const variable = variableOf(setting)
    if (variable === undefined || general.some(([first]) => first === code(variable))) continue
    const shown = code(name.replace('*', 'GROUP'))
    const earlier = settings.get(variable)
    settings.set(variable, {
      shown: earlier === undefined ? shown : `${earlier.shown}, ${shown}`,
      form: (setting.flag && FORMS[setting.flag.form]) ?? '',
    })
  }
  return [
    ...table(['variable', 'meaning', 'flag'], general),
    'The others are [settings of a profile](profiles.md#files), where their meaning is. A *list* is several values with commas, *pairs* are',
    '`NAME=VALUE` with commas, a *duration* is such as 90s, and a *reference* says [where a secret is](profiles.md#secrets).',
    '',
    ...table(
      ['variable', 'setting', 'form'],
      [...settings].map(([variable, {shown, form}]) => [code(variable), shown, form]),
    ),
  ]
    .join('\n')
    .trimEnd()
}
