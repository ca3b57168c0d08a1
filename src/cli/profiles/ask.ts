import {checkBaseUrl, checkNewName, checkUrl, nameTaken} from '../../profiles/index.ts'
import type {Context} from '../context.ts'
import type {ProfileFlagValues} from './flags.ts'

type Kind = NonNullable<ProfileFlagValues['kind']>
type AuthType = NonNullable<ProfileFlagValues['auth']>

/**
 * Asks for what a profile cannot do without and no flag says. Each answer is checked as it is given; all of it once more
 * when the profile is stored.
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
  const isInsecure = flags['allow-insecure'] ?? false
  const isUrl = (check: typeof checkUrl) => (text: string) => {
    const checked = check(text, isInsecure)
    return 'url' in checked || `It ${checked.problem}.`
  }
  const notEmpty = (text: string): true | string => text.trim() !== '' || 'It cannot be empty.'
  const kind =
    flags.kind ??
    (await prompter.choose<Kind>('What stands behind it?', [
      {value: 'test', name: 'test: a test environment of the service'},
      {value: 'live', name: 'live: real money and real cards; asks before every write'},
      {value: 'sandbox', name: 'sandbox: a cardctl sandbox on a port'},
    ]))
  const baseUrl =
    flags['base-url'] ?? (await prompter.text('Address of the service (https://…)', isUrl(checkBaseUrl)))
  const auth =
    flags.auth ??
    (await prompter.choose<AuthType>('How are requests authenticated?', [
      {value: 'bearer', name: 'bearer token'},
      {value: 'basic', name: 'user name and password'},
      {value: 'oauth2', name: 'OAuth 2.0 client credentials'},
      {value: 'header', name: 'a header of its own'},
      {value: 'none', name: 'not at all'},
    ]))
  const ask = async (
    wanted: boolean,
    given: string | undefined,
    question: string,
    check: (text: string) => true | string = notEmpty,
  ): Promise<string | undefined> => (wanted && given === undefined ? prompter.text(question, check) : given)
  return {
    ...flags,
    kind,
    'base-url': baseUrl,
    auth,
    user: await ask(auth === 'basic', flags.user, 'User name'),
    'header-name': await ask(auth === 'header', flags['header-name'], 'Name of the header'),
    'token-url': await ask(
      auth === 'oauth2',
      flags['token-url'],
      'Address of the token endpoint (https://…)',
      isUrl(checkUrl),
    ),
    'client-id': await ask(auth === 'oauth2', flags['client-id'], 'Client id'),
    'profile-audit-user': await ask(
      kind === 'live',
      flags['profile-audit-user'],
      'Your name, for the audit log of the service',
    ),
  }
}
