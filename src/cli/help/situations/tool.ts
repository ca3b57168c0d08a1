import type {Situation} from '../entry.ts'

/** What people ask of cardctl itself. */
export const TOOL: readonly Situation[] = [
  {
    about: 'where data is stored',
    phrases: 'data stored, files stored, data kept, files kept, data folder',
    steps: [{does: 'See where each file is', words: 'data where'}],
  },
  {
    about: 'a sandbox that begins from a known state',
    phrases: `
      snapshot, fixture, fixtures, restore sandbox, restore state, save state, same state, known state,
      copy sandbox, test data`,
    steps: [
      {does: 'Save its whole state', words: 'sandbox snapshot save NAME'},
      {does: 'Come back to it', words: 'sandbox snapshot load NAME'},
      {does: 'Serve a sandbox that begins with it', words: 'sandbox serve --from NAME'},
      {does: 'Restore the demo data', words: 'sandbox reset'},
    ],
  },
  {
    about: 'a password or token that the service refuses',
    phrases: `
      token expired, expired token, new token, wrong token, token wrong, password wrong, wrong password,
      new password, password expired, password changed, not authorised service, 401, new secret,
      client secret`,
    steps: [
      {does: 'Type the new one, unseen', words: 'profiles edit NAME --secret -'},
      {does: 'Try it', words: 'profiles test NAME'},
    ],
  },
  {
    about: 'new credentials of a profile',
    phrases: 'rotate credentials, rotate password, rotate secret, change password profile, new credentials',
    steps: [
      {does: 'Type the new one, unseen', words: 'profiles edit NAME --secret -'},
      {does: 'Try it', words: 'profiles test NAME'},
    ],
  },
  {
    about: 'no network',
    phrases: 'no internet, no network, no connection, offline, network down, internet down',
    steps: [{does: 'Find out what is wrong on the way to the service', words: 'doctor'}],
  },
  {
    about: 'a window that was closed, or a machine that went off',
    phrases: `
      closed window, window closed, terminal closed, closed terminal, crash, crashed, power cut,
      computer off, interrupted`,
    lacks: 'What was sent is in the journal, and nothing is sent twice.',
    steps: [
      {does: 'List the requests whose outcome is open', words: 'requests list --open'},
      {does: 'Find out whether the last one had an effect', words: 'requests resolve last'},
      {does: 'Go on with a bulk job', words: 'bulk resume last'},
    ],
  },
  {
    about: 'uninstalling cardctl',
    phrases: 'uninstall, deinstall, remove cardctl, delete cardctl, get rid cardctl',
    steps: [
      {does: 'See how each kind of installation is removed', words: 'help installation'},
      {does: 'Remove what cardctl keeps, after a question', words: 'data remove --all'},
    ],
  },
]
