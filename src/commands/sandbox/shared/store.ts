import * as Flags from '@oclif/core/flags'
import type {Context} from '../../../cli/context.ts'
import {durationFlag, type FlagValues} from '../../../cli/flags.ts'
import {readAuthorityFile} from '../../../cli/serving/server-tls.ts'
import {Failure} from '../../../errors/failure.ts'
import {readReference} from '../../../profiles/index.ts'
import type {PostgresOptions} from '../../../sandbox/team.ts'

/** Flags of every command that uses a PostgreSQL database. */
export const storeFlags = {
  store: Flags.string({
    helpValue: 'REF',
    summary:
      'PostgreSQL database for the state. REF is env:NAME, file:PATH or cmd:COMMAND and leads to a postgres:// URL with host, database and user.',
  }),
  'store-ca': Flags.string({
    helpValue: 'FILE',
    summary: 'PEM file with the certificate authorities to trust for the database.',
    dependsOn: ['store'],
  }),
  'store-timeout': durationFlag({
    helpValue: '10s',
    summary: 'Time limit of a statement of the database (default 10s).',
    dependsOn: ['store'],
  }),
}

export type StoreFlags = FlagValues<typeof storeFlags>

/** @throws Failure USAGE, SECRET_MISSING, SENSITIVE_IN_ARGV for a URL with a password; none of them quotes it. */
export async function readStore(
  context: Context,
  {store, 'store-ca': caFile, 'store-timeout': statementMs}: StoreFlags,
): Promise<PostgresOptions | undefined> {
  if (store === undefined) return undefined
  const {surroundings, printer} = context
  const notify = ({message}: {message: string}) => printer.warn(message)
  const read = async () => {
    const url = await readReference(store, 'the URL of --store', {...surroundings, notify})
    if (caFile === undefined) return {url}
    return {url, ca: await readAuthorityFile('--store-ca', caFile, surroundings)}
  }
  return {...(await read()), reread: read, ...(statementMs === undefined ? {} : {statementMs})}
}

/** The same for commands that are about the database. */
export const requiredStoreFlags = {...storeFlags, store: {...storeFlags.store, required: true} as const}

export async function readRequiredStore(context: Context, flags: StoreFlags): Promise<PostgresOptions> {
  const store = await readStore(context, flags)
  if (store === undefined) throw new Failure('USAGE', {message: '--store is missing.'})
  return store
}
