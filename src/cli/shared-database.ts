import type {SharedDatabase} from '../postgres/options.ts'
import type {ChangingSecret} from '../profiles/index.ts'
import type {Context} from './context.ts'

/** The database of a setting, whose password may change while the command runs. @throws Failure SECRET_MISSING */
export const sharedDatabase = async (
  {printer}: Pick<Context, 'printer'>,
  url: ChangingSecret,
): Promise<SharedDatabase> => ({
  tellHeld: why => printer.waiting({for: 'lock', why}),
  url: await url(),
  kept: url.kept,
  reread: async () => ({url: await url.again()}),
})
