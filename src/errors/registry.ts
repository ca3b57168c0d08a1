/**
 * Every failure the tool can end with: its stable code, the exit code scripts see, what it means and what to do.
 * `docs/exit-codes.md` is generated from this table.
 */
export interface ErrorEntry {
  readonly exit: number
  readonly summary: string
  /** What a person can do next; a failure may carry a better one of its own. */
  readonly hint: string
}

const entry = (exit: number, summary: string, hint: string): ErrorEntry => ({exit, summary, hint})

const SEE_JOURNAL = 'To see what was sent, run requests list.'

export const errorRegistry = {
  INTERNAL: entry(1, 'An unexpected fault of the tool', 'Run again with --debug and report what it prints.'),

  CIPHERTEXT_INVALID: entry(
    2,
    'An enciphered value cannot be opened with this key',
    'Check that key and value belong together and were copied whole.',
  ),
  CONFIRMATION_DECLINED: entry(2, 'The confirmation was declined', 'Nothing was sent.'),
  CONFIRMATION_REQUIRED: entry(
    2,
    'A confirmation is needed and cannot be asked for here',
    'Add the flag that the message names.',
  ),
  CONTRACT_VIOLATION: entry(
    2,
    'The input does not fit the contract of the operation',
    'See --skeleton for the members it takes.',
  ),
  INPUT_ENDED: entry(
    2,
    'The input ended at a question',
    'Run the command again and answer, or give the answer with a flag.',
  ),
  INPUT_INVALID: entry(
    2,
    'A file or value that was given cannot be used',
    'Correct what the message names and run again.',
  ),
  KEY_INVALID: entry(
    2,
    'A cryptographic key is malformed, too weak or of the wrong kind',
    'Give the key that the message asks for.',
  ),
  KEY_REUSED: entry(
    2,
    'The idempotency key belongs to another request of the last 24 hours, which succeeded or may have',
    'Use a new key, or repeat the earlier request.',
  ),
  PIN_BLOCK_INVALID: entry(
    2,
    'A PIN block does not have the form of ISO 9564-1',
    'Check the format, the key and the card number it was made with.',
  ),
  SENSITIVE_IN_ARGV: entry(
    2,
    'A secret value stands on the command line',
    'Give it on stdin, at the prompt or from a file.',
  ),
  USAGE: entry(2, 'The command line is not understood', 'See --help.'),

  CONFIG_DAMAGED: entry(
    3,
    'A file of the tool cannot be read and was left as it is',
    'Correct or move the file that the message names.',
  ),
  CONFIG_UNREADABLE: entry(
    3,
    'A file or folder of the tool cannot be read or written',
    'Check its owner, mode and free space.',
  ),
  GATE_REFUSED: entry(
    3,
    'The profile does not allow this operation',
    'Choose another profile, or change this one with profiles edit.',
  ),
  OTHER_SERVICE: entry(
    3,
    'The request or bulk job belongs to another service than the profile leads to',
    'Choose a profile that leads to the service it belongs to. If that service has a new address, see requests rebind.',
  ),
  OUTPUT_UNWRITABLE: entry(
    3,
    'The result could not be written',
    'Check the free disk space. To see what was sent, run requests list.',
  ),
  PORT_UNAVAILABLE: entry(
    3,
    'The address or port is in use or not allowed',
    'Choose another with --port or --host.',
  ),
  PROFILE_INVALID: entry(
    3,
    'The profile lacks something or holds something unusable',
    'Correct it with profiles edit.',
  ),
  PROFILE_NOT_FOUND: entry(3, 'There is no profile of that name', 'See profiles list.'),
  PROFILE_NOT_CHOSEN: entry(
    3,
    'No profile was chosen for a write without a terminal',
    'Say which with --profile, CARDCTL_PROFILE or profiles use.',
  ),
  SECRET_MISSING: entry(
    3,
    'A secret that the profile names cannot be read',
    'Store it again with profiles edit, or correct the reference.',
  ),
  STORE_DAMAGED: entry(
    3,
    'A database file is damaged; it was kept and not touched',
    'Move the file that the message names away, then run again.',
  ),
  STORE_UNAVAILABLE: entry(
    3,
    'A database file cannot be opened or written',
    'Check its owner, mode and the free space.',
  ),

  FORBIDDEN: entry(
    4,
    'The service does not permit this (403)',
    'Ask for the permission, or use another profile.',
  ),
  UNAUTHENTICATED: entry(
    4,
    'The service does not accept the credentials (401)',
    'Check them with profiles test.',
  ),

  NOT_FOUND: entry(5, 'There is no such thing at the service (404, 410)', 'Check the id and the profile.'),

  DECLINED: entry(6, 'The authorisation was declined', 'See the response code.'),
  REFUSED: entry(
    6,
    'The service refused the request (4xx)',
    'Change the request as the service says and send it again.',
  ),

  RATE_LIMITED: entry(
    7,
    'The rate limit was still reached after the retries (429)',
    'Wait a minute, or lower the rate.',
  ),

  ANSWER_INVALID: entry(
    8,
    "The answer can't be used: it isn't what the operation answers with",
    'Check the address and the prefixes of the profile; a proxy or a login page may have answered.',
  ),
  ANSWER_DIFFERS: entry(
    8,
    'An answer differs from the contract, and --strict was given; it was printed all the same',
    'Leave --strict out to take answers as they come.',
  ),
  SERVICE_FAULT: entry(8, 'The service failed; no effect is left open', 'Try again later.'),

  CONNECTION_FAILED: entry(
    9,
    'No connection; the request had no effect',
    'Check the address, the network and the proxy.',
  ),
  TIMED_OUT: entry(
    9,
    'No answer in time; the request had no effect',
    'Try again, or give more time with --timeout.',
  ),
  TLS_FAILED: entry(
    9,
    'No trusted TLS connection; the request had no effect',
    'Check the certificate, or set the CA of the profile.',
  ),

  EFFECT_UNKNOWN: entry(
    10,
    'It is not known whether the request had its effect',
    'Find out with requests resolve before repeating it.',
  ),

  COMMANDS_BREAK: entry(
    11,
    'Commands would fail with the contract that was compared',
    'See the differences that break; members and paths with other names can be mapped in the profile.',
  ),
  EARLIER_ROW_FAILED: entry(
    11,
    'A row of a bulk job was not sent: an earlier row of the same resource failed',
    'Correct the rows with --failed-rows, or send them again with bulk resume --retry-failed.',
  ),
  EARLIER_ROW_UNKNOWN: entry(
    11,
    'A row of a bulk job was not sent: an earlier row of the same resource may have had its effect',
    'Find out with requests resolve, then run bulk resume.',
  ),
  LIMIT_MISSED: entry(
    11,
    'A measurement is beyond the limit that was set for it',
    'See what the report says of late and invalid answers.',
  ),
  DECISION_CHANGED: entry(
    11,
    'A recorded call is decided differently now',
    'See which calls changed; those that are approved now come first in the summary.',
  ),
  PARTLY_DONE: entry(11, 'Some rows or items failed', 'See the list of what failed.'),

  ITEMS_IN_PROGRESS: entry(12, 'Still in progress when the time asked for ran out', 'Look again later.'),
  NO_ANSWER_IN_TIME: entry(
    12,
    'No answer within the deadline',
    'Look at what the endpoint does with the time.',
  ),

  HUNG_UP: entry(129, 'Ended because the terminal was closed (SIGHUP)', SEE_JOURNAL),
  INTERRUPTED: entry(130, 'Ended by Ctrl-C (SIGINT)', SEE_JOURNAL),
  TERMINATED: entry(143, 'Ended by SIGTERM', SEE_JOURNAL),
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorRegistry
