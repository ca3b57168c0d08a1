import {generalVariables} from '../../src/cli/environment.ts'
import {variableOf} from '../../src/profiles/environment.ts'
import {fileSchema} from '../../src/profiles/read-profile.ts'
import {type NamedSetting, profileType, settingList} from '../../src/profiles/settings.ts'
import type {FlagForm} from '../../src/profiles/value-types.ts'
import {BANNER, code, table} from './markdown.ts'

const FORMS: Partial<Readonly<Record<FlagForm, string>>> = {
  boolean: '1 or 0',
  duration: 'a duration',
  list: 'a list',
  pairs: 'pairs',
  secret: 'a reference',
}

/** What other programs use as well, and cardctl follows. */
const OTHER_PROGRAMS: readonly (readonly [names: string, meaning: string])[] = [
  [
    'NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE TERM COLUMNS',
    '[colours and width](../output.md#colour-pager-progress)',
  ],
  ['CI', 'if set, never ask'],
  ['PAGER', "the pager, if `CARDCTL_PAGER` isn't set"],
  ['TZ', 'the zone of [times](../output.md#amounts-and-times)'],
  [
    'HTTPS_PROXY HTTP_PROXY ALL_PROXY',
    'proxies, as `http:` or `https:` URLs; the lower-case names as well. `ALL_PROXY` is for what the other two leave out',
  ],
  [
    'NO_PROXY',
    "what is reached without a proxy, with commas: names, domains (`.example`), addresses and their ranges (`10.0.0.0/8`, `[fd00::]/8`), each but a range also with a port; `*` is everything. A range doesn't include names, which are not looked up",
  ],
  [
    'PGPASSWORD',
    'the password of a [database](../team-sandbox.md#set-it-up) whose URL has none. A process keeps it; a URL behind `file:` or `cmd:` is read again when the server refuses it',
  ],
  ['NODE_EXTRA_CA_CERTS', "certificate authorities to trust besides the system's"],
  ['XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME', '[folders](../profiles.md#files), if absolute'],
]

/** docs/commands/settings.md: the settings of a profile with their flags and variables, and the variables that are no settings. */
export function settingsPage(): string {
  // An object without a flag of its own is described by its fields.
  const explained = settingList.filter(({setting: {type, flag}}) => type.members === undefined || flag)
  const rows = explained.map(({name, setting}) => [
    code(name.replace('*', 'GROUP')),
    fromHere(setting.doc),
    defaultOf(name, setting),
    setting.flag === undefined ? '' : code(`--${setting.flag.name}`),
    variableWithForm(setting),
  ])
  const general = generalVariables.map(({name, flag, meaning}) => [
    code(name),
    fromHere(meaning),
    flag === undefined ? '' : code(`--${flag}`),
  ])
  return [
    `${BANNER}# Settings and variables`,
    '',
    '[Which value wins](../profiles.md#which-value-wins), and [what variables can change](../profiles.md#environment-variables).',
    '',
    '## Settings of a profile',
    '',
    'In a variable, *a list* is several values with commas, *pairs* are `NAME=VALUE` with commas, *a duration* is such as 90s, and *a',
    'reference* says [where a secret is](../profiles.md#secrets).',
    '',
    ...table(['setting', 'meaning', 'default', 'flag', 'variable'], rows),
    '## Other variables',
    '',
    ...table(['variable', 'meaning', 'flag'], general),
    '## Variables of other programs',
    '',
    ...table(
      ['variable', 'meaning'],
      OTHER_PROGRAMS.map(([names, meaning]) => [names.split(' ').map(code).join(', '), meaning]),
    ),
  ].join('\n')
}

/** The texts link as the guide does, which is one folder up. */
const fromHere = (text: string): string =>
  text.replaceAll('](#', '](profiles.md#').replaceAll(/\]\((?=[\w-]+\.md)/g, '](../')

function variableWithForm(setting: NamedSetting['setting']): string {
  const variable = variableOf(setting)
  if (variable === undefined) return ''
  const form = setting.flag && FORMS[setting.flag.form]
  return code(variable) + (form === undefined ? '' : `, ${form}`)
}

function defaultOf(name: string, {required, default: usual}: NamedSetting['setting']): string {
  if (required) return requiredBy(name)
  // A default that is a function depends on the kind; the setting's text says how.
  if (usual === undefined || typeof usual === 'function') return ''
  return code(JSON.stringify(usual))
}

/** A profile can do without `machineUser`, and each type of `auth` has its own members. */
function requiredBy(name: string): string {
  const group = name.slice(0, Math.max(0, name.lastIndexOf('.')))
  if (group === '') return 'none: required'
  return group === 'auth' && name !== 'auth.type'
    ? 'none: required by its type'
    : `none: required with ${code(group)}`
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
