import type {Context} from '../../../cli/context.ts'
import {checkNewName, checkUrl, nameTaken, type ProfileSettings} from '../../../profiles/index.ts'
import type {ProfileFlagValues} from './flags.ts'

type Kind = NonNullable<ProfileFlagValues['kind']>
type AuthType = NonNullable<ProfileFlagValues['auth']>

/**
 * Asks for what a profile cannot do without and no flag says. Each answer is checked as it is given, also against the
 * other profiles; all of it once more when the profile is stored. The user name comes last: the password is asked for
 * right after it.
 *
 * @throws Failure INPUT_INVALID for a name that cannot be had, before anything is asked.
 */
export async function askForProfile(
  {prompter, profiles}: Context,
  name: string,
  flags: ProfileFlagValues,
): Promise<ProfileFlagValues> {
  checkNewName(name)
  if ((await profiles.list()).some(profile => profile.name === name)) throw nameTaken(name)
  const allowInsecure = flags['allow-insecure'] ?? false
  /** Whether a member of the settings, with what is known beside it, is one that a profile may have. */
  const isFit = async (member: string, settings: ProfileSettings): Promise<true | string> => {
    const found = await profiles.problems(name, {allowInsecure, ...settings})
    const problem = found.find(one => one.member === member)
    return problem === undefined || `It ${problem.message}.`
  }
  const notEmpty = (text: string): true | string => text !== '' || 'It cannot be empty.'
  const kind =
    flags.kind ??
    (await prompter.choose<Kind>('What is behind this profile?', [
      {value: 'test', name: 'test: a test environment of the service'},
      {value: 'live', name: 'live: real money and real cards; asks before every write'},
      {value: 'sandbox', name: 'sandbox: a cardctl sandbox on a port'},
    ]))
  const baseUrl =
    flags['base-url'] ??
    (await prompter.text('Address of the service (https://…)', text =>
      isFit('baseUrl', {kind, baseUrl: text}),
    ))
  const auditUser =
    kind === 'live' && flags['profile-audit-user'] === undefined
      ? await prompter.text("Audit user: your own name, for the service's log", text =>
          isFit('auditUser', {kind, auditUser: text}),
        )
      : flags['profile-audit-user']
  const auth =
    flags.auth ??
    (await prompter.choose<AuthType>('How does the service authenticate requests?', [
      {value: 'bearer', name: 'bearer token'},
      {value: 'basic', name: 'user name and password'},
      {value: 'oauth2', name: 'OAuth 2.0 client credentials'},
      {value: 'header', name: 'a header with a key'},
      {value: 'none', name: 'not at all'},
    ]))
  const ask = async (
    wanted: boolean,
    given: string | undefined,
    question: string,
    check: (text: string) => true | string | Promise<true | string> = notEmpty,
  ): Promise<string | undefined> => (wanted && given === undefined ? prompter.text(question, check) : given)
  return {
    ...flags,
    kind,
    'base-url': baseUrl,
    auth,
    'profile-audit-user': auditUser,
    'token-url': await ask(
      auth === 'oauth2',
      flags['token-url'],
      'Address of the token endpoint (https://…)',
      text => {
        const checked = checkUrl(text, allowInsecure)
        return 'url' in checked || `It ${checked.problem}.`
      },
    ),
    'client-id': await ask(auth === 'oauth2', flags['client-id'], 'Client id'),
    'header-name': await ask(auth === 'header', flags['header-name'], 'Name of the header', text =>
      isFit('auth.name', {auth: {type: 'header', name: text}}),
    ),
    user: await ask(auth === 'basic', flags.user, 'User name at the service', text =>
      isFit('auth.user', {auth: {type: 'basic', user: text}}),
    ),
  }
}
