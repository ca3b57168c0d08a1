import type {Folders} from './surroundings.ts'

/** A kind of file that cardctl keeps in one of its folders. */
export interface KeptFile {
  readonly folder: keyof Folders
  /** As documentation names it, below the folder. */
  readonly name: string
  /** Matches the path below the folder, with `/` between names. Group 1, if any, tells files of one kind apart. */
  readonly pattern: RegExp
  /** What is in it. */
  readonly holds: string
  /** When cardctl removes it. */
  readonly kept: string
  /** How the user removes it, or what is in it. */
  readonly remove: string
}

/** What SQLite keeps beside a database while it is in use, or after a process was killed. */
const DATABASE = '(?:-wal|-shm|-journal)?'

/** A file beside the one that it was to replace. The library that writes profiles gives it a name with an end of its own. */
const UNFINISHED = /(?:^|\/)\.cardctl-[0-9a-f]{12}\.tmp(?:\.tmp-[0-9a-f]{16})?$/

/**
 * Every file that cardctl keeps in its folders. `data where` lists them from here, and a test compares the list with what
 * many commands leave on the disk. Files that the user names, for example with --to, are not among them.
 */
export const keptFiles: readonly KeptFile[] = [
  {
    folder: 'config',
    name: 'profiles.json',
    pattern: /^profiles\.json(?:\.\w+)*$/,
    holds: 'profiles: base URLs, users, permissions; no secrets',
    kept: 'until you remove a profile',
    remove: 'cardctl profiles remove NAME',
  },
  {
    folder: 'config',
    name: 'mappings.json',
    pattern: /^mappings\.json(?:\.\w+)*$/,
    holds: 'mappings of spreadsheets, kept by name: headings, fields, values of --fill; no rows',
    kept: 'until you remove a mapping',
    remove: 'cardctl mappings remove NAME',
  },
  {
    folder: 'config',
    name: 'completion/',
    pattern: /^completion\/cardctl\.(?:bash|zsh|ps1)(?:\.\d+\.cardctl)?$/,
    holds: 'completion scripts of shells; a start-up file of the shell loads them',
    kept: 'until you uninstall them',
    remove: 'cardctl completion uninstall SHELL',
  },
  {
    folder: 'data',
    name: 'journal/SERVICE.db',
    pattern: new RegExp(`^journal/(.+)\\.(?:db${DATABASE}|json)$`),
    holds:
      'requests to a service, and bulk jobs with their rows and responses; contents encrypted, ids readable',
    kept: 'finished ones 90 days, or CARDCTL_KEEP; a request can be repeated for 24 hours',
    remove: 'cardctl requests prune, cardctl bulk prune',
  },
  {
    folder: 'data',
    name: 'journal/local.key',
    pattern: /^journal\/(?:local|.+)\.key/,
    holds: 'the key that encrypts the journals of this machine; SERVICE.key for an imported one',
    kept: 'as long as there is a journal',
    remove: 'move it away together with the folder journal',
  },
  {
    folder: 'data',
    name: 'audit.ndjson',
    pattern: new RegExp(`^audit\\.ndjson(?:\\.new|\\.head${DATABASE})?$`),
    holds: 'the audit trail and its sealed end: who did what, with ids and names of fields',
    kept: 'until you prune it',
    remove: 'cardctl audit prune --export FILE',
  },
  {
    folder: 'data',
    name: 'audit.key',
    pattern: /^audit\.key$/,
    holds: 'the key of the audit trail, or its name in the keyring',
    kept: 'as long as there is a trail',
    remove: 'cardctl audit begin --export FILE makes another one',
  },
  {
    folder: 'data',
    name: 'machine.key',
    pattern: /^(?:machine\.key|trusted-machines)(?:\.\w+)*$/,
    holds: 'the key that signs exports and reports of this machine; the machines whose keys are trusted',
    kept: 'always',
    remove: 'cardctl data keys --forget KEY; if you delete the key, other machines must trust a new one',
  },
  {
    folder: 'data',
    name: 'day-sums.db',
    pattern: new RegExp(`^day-sums\\.db${DATABASE}$`),
    holds: 'what gate serve sent for each user: keys, digests, amounts',
    kept: '8 days, and the newest 50,000',
    remove: 'delete it while no server runs; the sums of today begin again',
  },
  {
    folder: 'data',
    name: 'unrecorded-refusals',
    pattern: /^unrecorded-refusals$/,
    holds: 'how many refusals of gate serve wait for an entry of the audit trail, and of whom',
    kept: 'always',
    remove: 'delete it while no server runs; refusals that it counts are then in no record',
  },
  {
    folder: 'data',
    name: 'clock.json',
    pattern: /^clock\.json(?:\.\w+)*$/,
    holds: 'when the clock of this machine was last believed',
    kept: 'always',
    remove: 'delete it at any time; then the newest request counts',
  },
  {
    folder: 'data',
    name: 'webhook/events.db',
    pattern: new RegExp(`^webhook/events\\.db${DATABASE}$`),
    holds: 'authorisation calls and their answers, masked; ids of holders, merchants, amounts',
    kept: '30 days, or webhook serve --keep',
    remove: 'cardctl webhook events prune',
  },
  {
    folder: 'data',
    name: 'webhook/inspector.key',
    pattern: /^webhook\/inspector\.key/,
    holds: 'path and key of the inspector page',
    kept: 'always, so that open pages go on after a restart',
    remove: 'delete it while no server runs; pages need the new link then',
  },
  {
    folder: 'data',
    name: 'webhook/server-PORT.pem, sandbox/server-PORT.pem',
    pattern: /^(?:webhook|sandbox)\/server-\d+\.pem$/,
    holds: 'the certificate of a running server, without its private key',
    kept: 'until the server ends',
    remove: 'stop the server',
  },
  {
    folder: 'data',
    name: 'sandbox/sandbox.db',
    pattern: new RegExp(`^sandbox/sandbox\\.db${DATABASE}$`),
    holds: 'the state of the embedded sandbox: made-up customers and cards',
    kept: 'until you reset it',
    remove: 'cardctl sandbox reset',
  },
  {
    folder: 'data',
    name: 'sandbox/snapshots/NAME.json',
    pattern: /^sandbox\/snapshots\/([^/]+)\.json$/,
    holds: 'snapshots of sandboxes, with their test card numbers and keys',
    kept: 'until you remove them; of the states that loads have replaced, the newest 10',
    remove: 'cardctl sandbox snapshot remove NAME',
  },
  {
    folder: 'data',
    name: 'contracts/PROFILE/',
    pattern: /^contracts\//,
    holds: 'imported contracts, compiled; no data of customers',
    kept: 'until you remove them',
    remove: 'cardctl contract remove NAME',
  },
  {
    folder: 'data',
    name: 'transfer-…/, importing',
    pattern: /^(?:transfer-\d+-[0-9a-f]{12}\/|importing(?:\.|$))/,
    holds: 'an unfinished data export or import of a process that was killed',
    kept: 'until the next data export or import',
    remove: 'run the same command again',
  },
  {
    folder: 'data',
    name: 'secrets.json',
    pattern: /^secrets\.json(?:\.\w+)*$/,
    holds: 'credentials of profiles in plain text, because no keyring could be used',
    kept: 'until you remove the profile',
    remove: 'cardctl profiles remove NAME',
  },
  {
    folder: 'data',
    name: '.cardctl-….tmp',
    pattern: UNFINISHED,
    holds: 'an unfinished write of a process that was killed',
    kept: 'until doctor --fix',
    remove: 'cardctl doctor --fix',
  },
  {
    folder: 'config',
    name: '.cardctl-….tmp',
    pattern: UNFINISHED,
    holds: 'an unfinished write of a process that was killed',
    kept: 'until doctor --fix',
    remove: 'cardctl doctor --fix',
  },
  {
    folder: 'cache',
    name: 'compiled/',
    pattern: /^compiled\//,
    holds: 'compiled code of cardctl; no data',
    kept: '30 days after its last change',
    remove: 'delete the folder at any time',
  },
]
