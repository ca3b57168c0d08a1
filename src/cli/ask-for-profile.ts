import type {ProfileFlagValues} from './profile-flags.ts'
import type {Prompter} from './prompt.ts'

type Kind = NonNullable<ProfileFlagValues['kind']>
type AuthType = NonNullable<ProfileFlagValues['auth']>

/** Asks for what a profile cannot do without and no flag says. Each answer is checked when the profile is stored. */
export async function askForProfile(
  prompter: Prompter,
  flags: ProfileFlagValues,
): Promise<ProfileFlagValues> {
  const notEmpty = (text: string): true | string => text.trim() !== '' || 'It cannot be empty.'
  const kind =
    flags.kind ??
    (await prompter.choose<Kind>('What stands behind it?', [
      {value: 'test', name: 'test: a test environment of the service'},
      {value: 'live', name: 'live: real money and real cards; asks before every write'},
      {value: 'sandbox', name: 'sandbox: a cardctl sandbox on a port'},
    ]))
  const baseUrl = flags['base-url'] ?? (await prompter.text('Address of the service (https://…)', notEmpty))
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
  ): Promise<string | undefined> =>
    wanted && given === undefined ? prompter.text(question, notEmpty) : given
  return {
    ...flags,
    kind,
    'base-url': baseUrl,
    auth,
    user: await ask(auth === 'basic', flags.user, 'User name'),
    'header-name': await ask(auth === 'header', flags['header-name'], 'Name of the header'),
    'token-url': await ask(auth === 'oauth2', flags['token-url'], 'Address of the token endpoint'),
    'client-id': await ask(auth === 'oauth2', flags['client-id'], 'Client id'),
    'profile-audit-user': await ask(
      kind === 'live',
      flags['profile-audit-user'],
      'Your name, for the audit log of the service',
    ),
  }
}
