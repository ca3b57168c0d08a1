import {fileSchema} from '../../src/profiles/profiles-document.ts'
import {type NamedSetting, profileType, settingList} from '../../src/profiles/settings.ts'
import {code, table} from './markdown.ts'

const PAGE = 'docs/profiles.md'
const [BEGIN, END] = ['<!-- settings -->\n', '<!-- /settings -->\n']

/** docs/profiles.md with a new table of settings; the rest of the page is written by hand. */
export function profilesPage(page: string): string {
  const [before, rest = ''] = page.split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error(`${PAGE} lacks the marks of the table of settings.`)
  return `${before}${BEGIN}${settingsTable()}\n${END}${after}`
}

function settingsTable(): string {
  // An object without a flag of its own is described by its fields.
  const explained = settingList.filter(({setting: {type, flag}}) => type.members === undefined || flag)
  const rows = explained.map(({name, setting}) => [
    code(name.replace('*', 'GROUP')),
    setting.doc,
    defaultOf(setting),
    setting.flag === undefined ? '' : code(`--${setting.flag.name}`),
  ])
  return table(['setting', 'meaning', 'default', 'flag'], rows).join('\n').trimEnd()
}

function defaultOf({required, default: usual}: NamedSetting['setting']): string {
  if (required) return 'required'
  // A default that is a function depends on the kind; the setting's text says how.
  if (usual === undefined || typeof usual === 'function') return ''
  return code(JSON.stringify(usual))
}

/** docs/profiles.schema.json: profiles.json for editors. */
export function profilesSchema(): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'profiles.json of cardctl',
    type: 'object',
    required: ['schema'],
    properties: fileSchema(profileType.schema),
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}
