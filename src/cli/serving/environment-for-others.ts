import type {Surroundings} from '../surroundings.ts'

/** A server that runs commands for others has chosen these itself. */
const DECIDED_HERE: ReadonlySet<string> = new Set([
  'CARDCTL_DEBUG',
  'CARDCTL_LOG_FORMAT',
  'CARDCTL_OUTPUT',
  'CARDCTL_PROFILE',
  'CARDCTL_QUIET',
  'CARDCTL_YES',
])

/** The variables for a command that a server runs for somebody: nothing asks, and the server's own settings are left out. */
export const environmentForOthers = (env: Surroundings['env']): Surroundings['env'] => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !DECIDED_HERE.has(name))),
  CARDCTL_NO_INPUT: '1',
})
