import {ASKED_OF_ACCOUNT_COMMANDS} from './account-commands.ts'
import {ASKED_OF_AUDIT_COMMANDS} from './audit-commands.ts'
import {ASKED_OF_CARD_COMMANDS} from './card-commands.ts'
import {ASKED_OF_JOB_COMMANDS} from './job-commands.ts'
import {ASKED_OF_PROGRAM_COMMANDS} from './program-commands.ts'
import {ASKED_OF_REQUEST_COMMANDS} from './request-commands.ts'
import {ASKED_OF_SANDBOX_COMMANDS} from './sandbox-commands.ts'
import {ASKED_OF_SERVICE_COMMANDS} from './service-commands.ts'
import {ASKED_OF_TRANSFER_COMMANDS} from './transfer-commands.ts'
import {ASKED_OF_WEBHOOK_COMMANDS} from './webhook-commands.ts'

/** What people ask who need a command or a topic of help, in words that it may not have. With commas between. */
export const ASKED_OF_COMMANDS: Readonly<Record<string, string>> = {
  ...ASKED_OF_CARD_COMMANDS,
  ...ASKED_OF_ACCOUNT_COMMANDS,
  ...ASKED_OF_TRANSFER_COMMANDS,
  ...ASKED_OF_JOB_COMMANDS,
  ...ASKED_OF_REQUEST_COMMANDS,
  ...ASKED_OF_AUDIT_COMMANDS,
  ...ASKED_OF_SANDBOX_COMMANDS,
  ...ASKED_OF_WEBHOOK_COMMANDS,
  ...ASKED_OF_SERVICE_COMMANDS,
  ...ASKED_OF_PROGRAM_COMMANDS,
}
