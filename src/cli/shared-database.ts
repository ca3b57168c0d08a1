import type {DatabaseOptions} from '../postgres/options.ts'
import type {ChangingSecret} from '../profiles/index.ts'

/** The database of a setting, whose password may change while the command runs. @throws Failure SECRET_MISSING */
export const sharedDatabase = async (url: ChangingSecret): Promise<DatabaseOptions> => ({
  url: await url(),
  reread: async () => ({url: await url.again()}),
})
