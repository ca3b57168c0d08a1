import {Failure} from '../../errors/failure.ts'
import {readReference} from '../../profiles/index.ts'
import {Secret} from '../../sensitive/secret.ts'
import type {Context} from '../context.ts'

/** The credentials that a server requires from its callers. */
export type ServerAuth =
  | {readonly type: 'basic'; readonly user: string; readonly password: Secret}
  | {readonly type: 'bearer'; readonly token: Secret}

/**
 * Reads `--auth basic:REF` or `bearer:REF`, where REF is `env:NAME`, `file:PATH` or `cmd:COMMAND`, and leads to
 * `user:password` or to the token.
 *
 * @throws Failure USAGE, SENSITIVE_IN_ARGV, SECRET_MISSING; none of them quotes the value.
 */
export async function readServerAuth(
  text: string | undefined,
  {surroundings, printer}: Context,
  flag = '--auth',
): Promise<ServerAuth | undefined> {
  if (text === undefined) return undefined
  const [, scheme, reference] = /^(basic|bearer):(.+)$/s.exec(text) ?? []
  if (reference === undefined) {
    throw new Failure('USAGE', {
      message: `${flag} takes basic:REF or bearer:REF, where REF is env:NAME, file:PATH or cmd:COMMAND.`,
    })
  }
  const notify = ({message}: {message: string}) => printer.warn(message)
  const secret = await readReference(reference, `the credential of ${flag}`, {...surroundings, notify})
  if (scheme === 'bearer') return {type: 'bearer', token: secret}
  const [user, ...rest] = secret.open().split(':')
  if (!user || rest.length === 0) {
    throw new Failure('USAGE', {
      message: `${flag} basic: the reference must lead to user:password. The colon or the user is missing.`,
    })
  }
  return {type: 'basic', user, password: new Secret(rest.join(':'))}
}
