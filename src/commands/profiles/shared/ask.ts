import type {Context} from '../../../cli/context.ts'
import {
  type AuthType,
  checkNewName,
  nameTaken,
  type ProfileKind,
  type ProfileSettings,
} from '../../../profiles/index.ts'

/**
 * Asks for the required settings that no flag gives. Checks each answer at once, also against the other profiles; all
 * are checked again when the profile is stored. The user name comes last, directly before its password.
 *
 * @throws Failure INPUT_INVALID, before any question, for a name that no new profile can have.
 */
export async function askForProfile(
  {prompter, service: {profiles}}: Context,
  name: string,
  given: ProfileSettings,
): Promise<ProfileSettings> {
  checkNewName(name)
  if ((await profiles.list()).some(profile => profile.name === name)) throw nameTaken(name)
  /** Asks for one setting until the answer is valid together with the known settings. */
  const ask = (
    question: string,
    member: string,
    settingsWith: (text: string) => ProfileSettings,
  ): Promise<string> =>
    prompter.text(question, async text => {
      if (text === '') return 'It cannot be empty.'
      const found = await profiles.problems(name, {allowInsecure: given.allowInsecure, ...settingsWith(text)})
      const problem = found.find(one => one.member === member)
      return problem === undefined || `It ${problem.message}.`
    })
  const askAuth = async (
    type: AuthType,
    member: 'tokenUrl' | 'clientId' | 'name' | 'user',
    question: string,
  ) =>
    given.auth?.[member] ?? (await ask(question, `auth.${member}`, text => ({auth: {type, [member]: text}})))

  const kind =
    given.kind ??
    (await prompter.choose<ProfileKind>('What is behind this profile?', [
      {value: 'test', name: 'test: a test environment of the service'},
      {value: 'live', name: 'live: real money and real cards; asks before every write'},
      {value: 'sandbox', name: 'sandbox: a cardctl sandbox on a port'},
    ]))
  const baseUrl =
    given.baseUrl ??
    (await ask('Address of the service (https://…)', 'baseUrl', text => ({kind, baseUrl: text})))
  const auditUser =
    given.auditUser ??
    (kind === 'live'
      ? await ask("Audit user: your own name, for the service's log", 'auditUser', text => ({
          kind,
          auditUser: text,
        }))
      : undefined)
  const type =
    given.auth?.type ??
    (await prompter.choose<AuthType>('How does the service authenticate requests?', [
      {value: 'bearer', name: 'bearer token'},
      {value: 'basic', name: 'user name and password'},
      {value: 'oauth2', name: 'OAuth 2.0 client credentials'},
      {value: 'header', name: 'a header with a key'},
      {value: 'none', name: 'not at all'},
    ]))
  const auth = {
    ...given.auth,
    type,
    ...(type === 'oauth2' && {
      tokenUrl: await askAuth(type, 'tokenUrl', 'Address of the token endpoint (https://…)'),
      clientId: await askAuth(type, 'clientId', 'Client id'),
    }),
    ...(type === 'header' && {name: await askAuth(type, 'name', 'Name of the header')}),
    ...(type === 'basic' && {user: await askAuth(type, 'user', 'User name at the service')}),
  }
  return {...given, kind, baseUrl, auditUser, auth}
}
