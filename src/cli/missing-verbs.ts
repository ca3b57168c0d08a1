import {AREAS} from './areas.ts'

/** Words that people try as a command, and what comes nearest. Looked up only for commands that don't exist. */
export interface MissingVerb {
  /** Ids of the topics that the verb is tried in. The empty text: as the first word. */
  readonly topics: readonly string[]
  readonly verbs: readonly string[]
  /** What the service can't do, as a sentence. Undefined if only the word is another one. */
  readonly lacks?: string
  readonly instead?: {
    /** What the command does, before a colon. */
    readonly does: string
    /** The command without its program's name, placeholders in capitals. */
    readonly words: string
  }
}

/** What to do about an operation that the built-in contract doesn't have. */
const noOperation = (what: string): string =>
  `The built-in contract has no operation ${what}. If your service has one, cardctl api sends it, and cardctl contract import makes it a command.`

const IMPORT = {does: 'Import the document', words: 'contract import FILE --name NAME'}

const missingAreas = AREAS.map(({name, words}) => ({
  topics: [''],
  verbs: words,
  lacks: noOperation(`for ${name.replace('-', ' ')}`),
  instead:
    name === 'customers' ? {does: 'List the cards of a customer', words: 'cards list --customer ID'} : IMPORT,
}))

/** Extend it for a new word; a test checks that each command exists and takes its flags. */
export const MISSING_VERBS: readonly MissingVerb[] = [
  {
    topics: ['cards', ''],
    verbs: ['block', 'freeze', 'lock', 'suspend', 'disable', 'stop', 'deactivate'],
    lacks: 'The service has no operation that blocks a card.',
    instead: {does: 'Block its account, with all its cards', words: 'accounts block ID --type TYPE'},
  },
  {
    topics: ['cards', ''],
    verbs: ['unblock', 'unfreeze', 'unlock', 'unsuspend', 'enable', 'activate', 'reactivate'],
    lacks: 'The service has no operation that unblocks a card.',
    instead: {
      does: 'If its account is blocked, unblock the account',
      words: 'accounts unblock ID --type TYPE',
    },
  },
  {
    topics: ['cards', ''],
    verbs: ['close', 'cancel', 'terminate', 'delete', 'remove', 'destroy'],
    lacks: 'The service has no operation that closes a card.',
    instead: {
      does: 'Close its account, for good',
      words: 'accounts close ID --type TYPE --confirm ACCOUNT_TO_CLOSE',
    },
  },
  {
    topics: ['cards'],
    verbs: ['create', 'add', 'new', 'issue', 'order', 'renew', 'replace', 'reissue'],
    lacks: 'The service has no operation that creates a card.',
  },
  {
    topics: ['cards'],
    verbs: ['limit', 'limits'],
    lacks: 'The service has no operation that changes a card.',
    instead: {does: 'Set the credit limit of its account', words: 'accounts limit ID AMOUNT --type TYPE'},
  },
  {
    topics: ['cards'],
    verbs: ['patch', 'update', 'edit', 'set', 'change', 'rename'],
    lacks: "The service has no operation that changes a card's own data.",
    instead: {
      does: 'Change the name of its account, or with -F its address, as a whole',
      words: 'accounts patch ID --type TYPE --name NAME',
    },
  },
  {
    topics: ['accounts'],
    verbs: ['create', 'add', 'new', 'open'],
    lacks: noOperation('that creates an account'),
    instead: IMPORT,
  },
  {
    topics: ['accounts'],
    verbs: ['freeze', 'lock', 'suspend', 'disable'],
    instead: {does: 'Block an account', words: 'accounts block ID --type TYPE'},
  },
  {
    topics: ['accounts'],
    verbs: ['unfreeze', 'unlock', 'unsuspend', 'enable'],
    instead: {does: 'Unblock an account', words: 'accounts unblock ID --type TYPE'},
  },
  {
    topics: ['accounts'],
    verbs: ['cancel', 'terminate', 'delete', 'remove'],
    instead: {
      does: 'Close an account, for good',
      words: 'accounts close ID --type TYPE --confirm ACCOUNT_TO_CLOSE',
    },
  },
  {
    topics: ['accounts'],
    verbs: ['get', 'show', 'list', 'view', 'find', 'search', 'info', 'balance', 'describe'],
    lacks: 'The service has no operation that reads an account.',
    instead: {does: 'List its cards', words: 'cards list --account ID'},
  },
  {
    topics: ['pricelists'],
    verbs: ['get', 'show', 'list', 'view', 'find', 'search', 'info', 'describe'],
    lacks: noOperation('that reads a price list'),
    instead: {does: 'See what was sent for one from here', words: 'history pricelist ID'},
  },
  {
    topics: ['pricelists period'],
    verbs: ['get', 'show', 'list', 'view', 'find', 'search', 'info', 'describe'],
    lacks: noOperation('that reads the period of a price list'),
    instead: {does: 'See what was sent for one from here', words: 'history period ID'},
  },
  {
    topics: ['wallets'],
    verbs: ['get', 'show', 'list', 'view', 'find', 'search', 'info', 'status', 'tokens'],
    lacks: 'The service has no operation that shows the wallets of a card.',
    instead: {does: 'See what was sent for a card from here', words: 'history card ID'},
  },
  {
    topics: ['cards'],
    verbs: ['show', 'view', 'info', 'details', 'describe', 'display'],
    instead: {does: 'Show a card', words: 'cards get CARD'},
  },
  {
    topics: ['cards'],
    verbs: ['find', 'search', 'lookup'],
    instead: {does: 'Find a card by its id or reference number', words: 'find ID'},
  },
  {
    topics: ['cards', ''],
    verbs: ['why', 'reason', 'status', 'blocked'],
    instead: {does: 'See the status of a card and its reason', words: 'cards get CARD'},
  },
  {
    topics: ['cards', 'pin'],
    verbs: ['who', 'history', 'log', 'touched', 'happened'],
    instead: {does: 'See who changed a card or its PIN', words: 'history card ID'},
  },
  {
    topics: [''],
    verbs: ['who'],
    instead: {does: 'See who changed a card', words: 'history card ID'},
  },
  {
    topics: ['accounts'],
    verbs: ['who', 'why', 'history', 'log'],
    instead: {does: 'See who changed an account', words: 'history account ID'},
  },
  {
    topics: ['pin'],
    verbs: ['unlock', 'enable', 'unfreeze', 'blocked'],
    instead: {does: 'Unblock a PIN by setting a new one', words: 'pin unblock CARD'},
  },
  {
    topics: ['requests'],
    verbs: ['revert', 'rollback', 'restore', 'cancel'],
    instead: {does: 'Undo a change', words: 'requests undo REQUEST_ID'},
  },
  {
    topics: ['sandbox'],
    verbs: ['save', 'snapshots', 'backup', 'export', 'dump', 'fixture', 'copy', 'clone'],
    instead: {does: 'Save its whole state', words: 'sandbox snapshot save NAME'},
  },
  {
    topics: ['sandbox'],
    verbs: ['load', 'restore', 'import', 'rollback', 'revert', 'undo'],
    instead: {does: 'Come back to a saved state', words: 'sandbox snapshot load NAME'},
  },
  {
    topics: ['sandbox'],
    verbs: ['fork', 'branch'],
    instead: {does: 'Make a new sandbox from a saved state', words: 'sandbox snapshot fork NAME --data DIR'},
  },
  {
    topics: ['sandbox:snapshot'],
    verbs: ['create', 'take', 'add', 'new', 'make', 'export', 'write'],
    instead: {does: 'Save a snapshot', words: 'sandbox snapshot save NAME'},
  },
  {
    topics: ['sandbox:snapshot'],
    verbs: ['restore', 'reset', 'apply', 'use', 'import', 'read'],
    instead: {does: 'Load a snapshot', words: 'sandbox snapshot load NAME'},
  },
  {
    topics: ['sandbox:snapshot'],
    verbs: ['delete', 'prune', 'rm'],
    instead: {does: 'Remove a snapshot', words: 'sandbox snapshot remove NAME'},
  },
  {
    topics: ['pin'],
    verbs: ['change', 'reset', 'update', 'create', 'new'],
    instead: {does: 'Set a new PIN', words: 'pin set CARD'},
  },
  {
    topics: ['webhook', ''],
    verbs: ['listen', 'listener'],
    instead: {does: 'Answer authorisation calls', words: 'webhook serve'},
  },
  {
    topics: ['a2a'],
    verbs: ['cancel', 'delete', 'remove', 'revoke', 'reverse', 'undo', 'stop'],
    lacks: 'The service has no operation that cancels a batch.',
    instead: {does: 'See how far it is', words: 'a2a status ID'},
  },
  {
    topics: ['a2a'],
    verbs: ['send', 'pay', 'transfer', 'new', 'add'],
    instead: {does: 'Send transfers', words: 'a2a create --transfer FROM:TO:AMOUNT:CURRENCY:TEXT'},
  },
  {
    topics: [''],
    verbs: ['transfer', 'transfers', 'send', 'pay', 'payment'],
    instead: {does: 'Send transfers', words: 'a2a create --transfer FROM:TO:AMOUNT:CURRENCY:TEXT'},
  },
  {
    topics: ['a2a'],
    verbs: ['show', 'view', 'info'],
    instead: {does: 'Show a batch with its transfers', words: 'a2a get ID'},
  },
  {
    topics: ['a2a'],
    verbs: ['batch'],
    instead: {does: 'See how far a batch is', words: 'a2a status ID'},
  },
  {
    topics: ['a2a'],
    verbs: ['batches'],
    instead: {does: 'List the batches', words: 'a2a list'},
  },
  {
    topics: [''],
    verbs: ['batch'],
    instead: {does: 'See how far a batch is', words: 'a2a status ID'},
  },
  {
    topics: [''],
    verbs: ['batches'],
    instead: {does: 'List the batches', words: 'a2a list'},
  },
  {
    topics: ['', 'a2a'],
    verbs: ['approve', 'accept', 'authorise', 'authorize'],
    instead: {does: 'Approve what a colleague has proposed', words: 'requests approve PROPOSAL_ID'},
  },
  {
    topics: ['', 'a2a'],
    verbs: ['reject', 'refuse', 'withdraw'],
    instead: {does: 'Reject what a colleague has proposed', words: 'requests reject PROPOSAL_ID'},
  },
  {
    topics: ['a2a'],
    verbs: ['import', 'upload', 'file', 'csv', 'excel', 'spreadsheet', 'run'],
    instead: {does: 'Send the transfers of a file', words: 'a2a create --from FILE'},
  },
  {
    topics: [''],
    verbs: ['undo', 'revert', 'rollback'],
    instead: {does: 'Undo a change', words: 'requests undo'},
  },
  {
    topics: [''],
    verbs: ['limit', 'limits'],
    instead: {does: 'Set the credit limit of an account', words: 'accounts limit ID AMOUNT --type TYPE'},
  },
  {
    topics: [''],
    verbs: ['shift'],
    instead: {does: 'Report what was done', words: 'report shift'},
  },
  {
    topics: [''],
    verbs: ['ticket', 'tickets'],
    instead: {does: 'List what was done for a ticket', words: 'requests list --ticket ID'},
  },
  {
    topics: [''],
    verbs: ['enrol', 'enroll'],
    instead: {
      does: 'Enrol a card in remote checkout',
      words: 'remotecheckout enroll --customer ID --card ID',
    },
  },
  {
    topics: [''],
    verbs: ['period', 'periods'],
    instead: {does: 'Change a period of a price list', words: 'pricelists period patch ID'},
  },
  {
    topics: [''],
    verbs: ['trace', 'traces'],
    instead: {does: 'List what was started in remote checkout', words: 'remotecheckout traces'},
  },
  {
    topics: ['remotecheckout'],
    verbs: ['trace'],
    instead: {does: 'Show the outcome of a trace', words: 'remotecheckout status TRACE'},
  },
  {
    topics: ['remotecheckout'],
    verbs: ['list', 'show', 'cards'],
    instead: {does: 'Show a customer with its cards', words: 'remotecheckout get --customer ID'},
  },
  {
    topics: ['remotecheckout'],
    verbs: ['remove', 'unenroll', 'unenrol', 'cancel', 'end'],
    instead: {
      does: 'End the enrolment of a card',
      words: 'remotecheckout delete --card ID',
    },
  },
  {
    topics: ['requests'],
    verbs: ['note', 'annotate', 'comment'],
    lacks: 'A note is given with the change, with --note or --ticket, and cannot be added later.',
    instead: {does: 'See the note of a request', words: 'requests show REQUEST_ID'},
  },
  {
    topics: ['pin'],
    verbs: ['get', 'show', 'status', 'info', 'tries'],
    instead: {does: 'See whether it is set, and its wrong tries', words: 'cards get CARD'},
  },
  {
    topics: ['pin'],
    verbs: ['block', 'lock', 'disable'],
    lacks: 'The service has no operation that blocks a PIN.',
  },
  {
    topics: [''],
    verbs: ['login', 'signin', 'auth', 'init', 'setup', 'configure', 'config'],
    instead: {does: 'Add a service', words: 'profiles add my-service'},
  },
  {
    topics: [''],
    verbs: ['logout', 'signout'],
    instead: {does: 'Remove a profile with its secrets', words: 'profiles remove NAME'},
  },
  {
    topics: [''],
    verbs: ['log', 'logs'],
    instead: {does: 'See what was sent', words: 'requests list'},
  },
  {
    topics: [''],
    verbs: ['search', 'lookup', 'get', 'show'],
    instead: {does: 'Find a card, customer, account or batch by its id', words: 'find ID'},
  },
  {
    topics: [''],
    verbs: ['man', 'apropos'],
    instead: {does: 'Search the help', words: 'help --search WORD'},
  },
  ...missingAreas,
]
