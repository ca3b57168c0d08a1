import {generalVariables} from '../../src/cli/environment.ts'
import {variableOf} from '../../src/profiles/environment.ts'
import {settingList} from '../../src/profiles/settings.ts'
import type {FlagForm, Setting} from '../../src/profiles/value-types.ts'
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
  duration: 'a duration, such as 90s',
  list: 'several with commas',
  pairs: '`NAME=VALUE`, several with commas',
  secret: 'a [reference](profiles.md#secrets)',
}

function variablesTable(): string {
  const general = generalVariables.map(({name, flag, meaning}) => [
    code(name),
    meaning,
    flag === undefined ? '' : code(`--${flag}`),
    '',
  ])
  const settings = new Map<string, string[]>()
  for (const {name, setting} of settingList) {
    const variable = variableOf(setting)
    if (variable === undefined || general.some(([first]) => first === code(variable))) continue
    const shown = code(name.replace('*', 'GROUP'))
    const earlier = settings.get(variable)
    if (earlier === undefined) settings.set(variable, [code(variable), meaningOf(setting), '', shown])
    else earlier[3] = `${earlier[3]}, ${shown}`
  }
  return table(['variable', 'meaning', 'flag', 'setting'], [...general, ...settings.values()])
    .join('\n')
    .trimEnd()
}

function meaningOf({doc, flag}: Setting): string {
  const form = flag && FORMS[flag.form]
  const meaning = flag?.name === 'secret' ? 'the password, token or client secret' : doc
  // Anchors of docs/profiles.md, where the same text is printed too.
  const linked = meaning.replaceAll('](#', '](profiles.md#').replace(', in milliseconds', '')
  return form === undefined ? linked : `${linked}; ${form}`
}
