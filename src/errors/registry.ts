import {advice, type Hint} from './advice.ts'
import {cardctl} from './suggested-command.ts'
/**
 * Every failure that cardctl can end with: a stable code, the exit code for scripts, its meaning and what to do.
 * The error codes of `docs/commands/errors.md` are generated from this table.
 */
export interface ErrorEntry {
  readonly exit: number
  readonly summary: string
  /** What to do. A failure may carry a more specific one. */
  readonly hint: Hint
}

const entry = (exit: number, summary: string, hint: Hint): ErrorEntry => ({exit, summary, hint})

const SEE_JOURNAL = advice`To see what was sent: ${cardctl('requests', 'list')}`

const UNWRITABLE = 'Check its owner and its mode: the user that runs cardctl has to read and write it.'

export const errorRegistry = {
  INTERNAL: entry(
    1,
    'cardctl failed unexpectedly',
    'Run again with --debug, and report the lines of the stack.',
  ),

  CANNOT_UNDO: entry(
    2,
    'The request cannot be undone',
    advice`See what it sent with ${cardctl('requests', 'show', {value: 'ID'})}, and change it with the command itself.`,
  ),
  CHANGED_SINCE: entry(
    2,
    'What a row of a bulk job sets was changed from here since the job was made',
    'Look at the newer values. To send the rows all the same, resume the job with --retry-failed.',
  ),
  CIPHERTEXT_INVALID: entry(
    2,
    'An encrypted value cannot be decrypted with this key',
    'Check that the key belongs to the value, and that both were copied in full.',
  ),
  CONFIRMATION_DECLINED: entry(2, 'You did not confirm', 'Nothing was sent or changed.'),
  CONFIRMATION_REQUIRED: entry(
    2,
    'A confirmation is needed, but there is no terminal',
    'Pass the flag that the message names.',
  ),
  CONTRACT_VIOLATION: entry(
    2,
    'The input does not match the contract',
    'Run the command with --skeleton to see the fields it takes.',
  ),
  INPUT_ENDED: entry(
    2,
    'The input ended at a question',
    'Run the command again and answer, or pass the answer with a flag.',
  ),
  INPUT_INVALID: entry(
    2,
    'A file or value cannot be used',
    'Correct what the message names and run the command again.',
  ),
  JOB_DIFFERS: entry(
    2,
    'The bulk job has other rows, another operation, or rows on their way by another audit user',
    'Run the command with the same file. Another job key sends all rows of its file, also those that the job has.',
  ),
  KEY_INVALID: entry(
    2,
    'A cryptographic key is malformed, too weak or of the wrong kind',
    'Pass a key of the kind that the message names.',
  ),
  KEY_REUSED: entry(
    2,
    'The idempotency key was used in the last 24 hours, for another request that had an effect or may have had one',
    'Use a new key, or repeat the earlier request.',
  ),
  NOT_OFFERED: entry(
    2,
    'This service does not do that',
    advice`Nothing was sent. To see what its dialect maps: ${cardctl('contract', 'show', '--dialect')}`,
  ),
  PIN_BLOCK_INVALID: entry(
    2,
    'A PIN block does not have a format of ISO 9564-1',
    'Check the format, the key and the card number it was made with.',
  ),
  PLAN_STALE: entry(
    2,
    'What a plan would change is no longer as it was when the plan was made',
    'Make a new plan, look at it, and apply that one.',
  ),
  SENSITIVE_IN_ARGV: entry(
    2,
    'A secret was passed on the command line',
    'Pass it on stdin, in a file or at the prompt.',
  ),
  USAGE: entry(2, 'The command line is not valid', 'See --help.'),

  CONFIG_DAMAGED: entry(
    3,
    'A file of cardctl is damaged; it was not changed',
    'Correct the file that the message names, or move it away.',
  ),
  CONFIG_UNREADABLE: entry(3, 'A file or folder of cardctl cannot be read or written', UNWRITABLE),
  DESCRIPTION_CHANGED: entry(
    3,
    'The dialect or imported contract that a request or bulk job was sent by has changed since',
    'Give the profile the file that it had, or send what is left with a new command.',
  ),
  DISK_FULL: entry(
    3,
    'The disk or quota of a file that cardctl needs is full',
    advice`Free space there, but delete nothing of cardctl: only its journal knows what was sent. Then run the command again. To see what was sent: ${cardctl('requests', 'list')}`,
  ),
  GATE_REFUSED: entry(
    3,
    'The profile does not allow this operation',
    'The person who looks after the profile decides what it allows.',
  ),
  JOURNAL_MOVED: entry(
    3,
    'The journal of the service was moved to another machine, or is a backup of one',
    advice`Send from the other machine. If it sends nothing any more: ${cardctl('data', 'import', {value: 'FILE'}, '--take-over')}`,
  ),
  OTHER_WORKER: entry(
    3,
    'A shared bulk job was created with a cardctl or profile that would build other requests',
    'Use the same version of cardctl and the same settings on all machines.',
  ),
  OTHER_SERVICE: entry(
    3,
    'The request or bulk job belongs to a different service than the profile',
    advice`Choose a profile of the service it belongs to. If that service has a new base URL: ${cardctl('requests', 'rebind')}`,
  ),
  OUTPUT_UNWRITABLE: entry(
    3,
    'The result could not be written',
    advice`Check the folder, its rights and the free disk space. To see what was sent: ${cardctl('requests', 'list')}`,
  ),
  PORT_UNAVAILABLE: entry(
    3,
    'The address or port is in use or not allowed',
    'Choose another with --port or --host.',
  ),
  POLICY_REFUSED: entry(
    3,
    'The policy of this machine does not allow this request',
    'The owner of the policy decides what it allows.',
  ),
  PROFILE_INVALID: entry(
    3,
    'A setting of the profile is missing or not valid',
    advice`Correct what the message names. To see the settings: ${cardctl('profiles', 'show', {value: 'NAME'})}`,
  ),
  PROFILE_NOT_FOUND: entry(
    3,
    'There is no profile of that name',
    advice`See the profiles there are: ${cardctl('profiles', 'list')}`,
  ),
  PROFILE_NOT_CHOSEN: entry(
    3,
    'Outside a terminal, a write needs a profile',
    advice`Choose one with --profile or CARDCTL_PROFILE, or for all commands: ${cardctl('profiles', 'use', {value: 'NAME'})}`,
  ),
  SECRET_MISSING: entry(
    3,
    'A secret of the profile cannot be read',
    advice`Correct its reference, or store it again: ${cardctl('profiles', 'edit', {value: 'NAME'}, '--secret', '-')}`,
  ),
  STORE_DAMAGED: entry(
    3,
    'A database file is damaged; it was not changed',
    'Restore the file that the message names from a backup. Without one, a sandbox or a recording can be moved away, and begins again. A journal is never moved away: it alone knows what was sent, so first check that at the service.',
  ),
  STORE_UNAVAILABLE: entry(3, 'A database file cannot be opened or written', UNWRITABLE),

  FORBIDDEN: entry(
    4,
    'The service does not permit this request (403)',
    'Who looks after the profile asks the service for the permission.',
  ),
  UNAUTHENTICATED: entry(
    4,
    'The service does not accept the credentials (401)',
    advice`Store a valid credential where the profile reads it: ${cardctl('profiles', 'edit', {value: 'NAME'}, '--secret', '-')}`,
  ),

  NOT_FOUND: entry(
    5,
    'The service does not know this id or path (404, 410)',
    'Check the id and the profile.',
  ),

  DECLINED: entry(6, 'The authorisation was declined', 'See the response code.'),
  REFUSED: entry(
    6,
    'The service refused the request (4xx)',
    'Correct the request as the service says and send it again.',
  ),

  RATE_LIMITED: entry(
    7,
    'The rate limit was reached, also after retries (429)',
    'Wait a minute, or lower the rate.',
  ),

  ANSWER_INVALID: entry(
    8,
    'The response does not belong to this operation and cannot be used',
    'Check the base URL and the prefixes of the profile. It may come from a proxy or a login page.',
  ),
  ANSWER_DIFFERS: entry(
    8,
    'A response differs from the contract, and --strict was passed; the response was printed',
    'To accept such responses, leave out --strict.',
  ),
  SERVICE_FAULT: entry(8, 'The service failed; the request had no effect', 'Try again later.'),

  CONNECTION_FAILED: entry(
    9,
    'cardctl could not connect; the request had no effect',
    advice`Find out what is wrong on the way to the service: ${cardctl('doctor')}`,
  ),
  TIMED_OUT: entry(
    9,
    'There was no response in time; the request had no effect',
    'Try again, or allow more time with --timeout.',
  ),
  TLS_FAILED: entry(
    9,
    'There was no trusted TLS connection; the request had no effect',
    'If the service, or a proxy before it, has a CA of its own, ask its people for the certificate of that CA, and name the file: --ca of profiles edit, or CARDCTL_CA. What is wrong otherwise, doctor says.',
  ),

  EFFECT_UNKNOWN: entry(
    10,
    'It is unknown whether the request had an effect',
    advice`Find out before you repeat it: ${cardctl('requests', 'resolve', 'last')}`,
  ),

  COMMANDS_BREAK: entry(
    11,
    'Some commands would fail with the compared contract',
    'See the breaking differences. If only names of fields or paths changed, map them in the profile.',
  ),
  EARLIER_ROW_FAILED: entry(
    11,
    'A row of a bulk job was not sent, because an earlier row of the same resource failed',
    advice`Correct the rows, which --failed-rows writes, or send them again: ${cardctl('bulk', 'resume', 'last', '--retry-failed')}`,
  ),
  EARLIER_ROW_UNKNOWN: entry(
    11,
    'A row of a bulk job was not sent, because the effect of an earlier row of the same resource is unknown',
    advice`Find out about the earlier row with ${cardctl('requests', 'resolve', {value: 'ID'})}, then continue: ${cardctl('bulk', 'resume', 'last')}`,
  ),
  EXPECTATION_FAILED: entry(
    11,
    'An answer of the endpoint differs from what was expected',
    'The output shows what was expected and what the endpoint answered.',
  ),
  LEASE_ENDED: entry(
    11,
    'A row of a shared bulk job was not sent, because another worker had taken it over',
    advice`Another worker sends it. If none does: ${cardctl('bulk', 'resume', 'last')}`,
  ),
  LIMIT_MISSED: entry(
    11,
    'A measured value exceeds its limit',
    'See the late and invalid answers in the report.',
  ),
  DECISION_CHANGED: entry(
    11,
    'A recorded call would now get a different decision',
    'See which calls changed. The summary lists newly approved calls first.',
  ),
  TENANTS_NOT_SEPARATED: entry(
    11,
    'Something in the database weakens the separation of its tenants',
    'Undo what the output lists, then run the command again.',
  ),
  PARTLY_DONE: entry(11, 'Some rows or items failed', 'See the list of failures.'),

  FOLLOW_UP_FAILED: entry(
    12,
    'The request was carried out, but a step after it failed, such as reading its result',
    advice`Do not send it again. See what was sent: ${cardctl('requests', 'list')}`,
  ),
  SENT_TWICE: entry(
    12,
    'The transfers were sent, and at the same time from elsewhere too, so they may have been made twice',
    'Send nothing again before you have compared both batches.',
  ),
  ITEMS_IN_PROGRESS: entry(12, 'Still in progress at the end of the wait', 'Look again later.'),
  NO_ANSWER_IN_TIME: entry(
    12,
    'The endpoint did not answer within the deadline',
    'Find out why the endpoint is slow.',
  ),

  SERVICE_DOWN: entry(
    13,
    'A bulk run stopped because the service was down or could not be reached; rows are left',
    advice`When the service works again: ${cardctl('bulk', 'resume', 'last')}`,
  ),
  ALREADY_SENT: entry(
    14,
    'All or some of the transfers were sent before, so none was sent now',
    advice`See them: ${cardctl('requests', 'list', '--operation', 'a2a.create.v1')}. To send them a second time, add --again.`,
  ),

  NO_EFFECT: entry(
    15,
    'requests resolve --exit-code found that the request had no effect',
    advice`It is safe to send it again: ${cardctl('requests', 'retry', {value: 'ID'})}`,
  ),

  CERTIFICATE_INCOMPLETE: entry(
    16,
    'No check of an endpoint failed, but some that were asked for could not be done',
    'The certificate gives the reason of each. Remove it and run the command again.',
  ),
  NOTHING_CHECKED: entry(
    16,
    'No step of a suite failed, but none could be checked',
    'The line of each step gives the reason.',
  ),
  LIST_INCOMPLETE: entry(
    16,
    'A list that was to be whole is not; what could be read was printed',
    'See the message for what is missing.',
  ),

  FILE_LOCKED: entry(
    17,
    'Another process keeps a file of cardctl locked',
    'Run again; if no other cardctl is running, delete the lock file that the message names.',
  ),
  JOB_RUNNING: entry(
    17,
    'Another process works on the bulk job, or sends the same transfers',
    advice`Follow it: ${cardctl('bulk', 'watch', 'last')}`,
  ),

  HUNG_UP: entry(129, 'Ended because the terminal was closed (SIGHUP)', SEE_JOURNAL),
  INTERRUPTED: entry(130, 'Ended by Ctrl-C (SIGINT)', SEE_JOURNAL),
  TERMINATED: entry(143, 'Ended by SIGTERM', SEE_JOURNAL),
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorRegistry

/** The exit code of a failure, also for texts that name it. */
export const exitOf = (code: ErrorCode): number => errorRegistry[code].exit
