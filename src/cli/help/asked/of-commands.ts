import {ASKED_OF_RECORD_COMMANDS} from './record-commands.ts'
import {ASKED_OF_SERVICE_COMMANDS} from './service-commands.ts'
import {ASKED_OF_SETUP_COMMANDS} from './setup-commands.ts'
import {ASKED_OF_TEST_COMMANDS} from './test-commands.ts'

/** What people ask who need a command or a topic of help, in words that it may not have. With commas between. */
export const ASKED_OF_COMMANDS: Readonly<Record<string, string>> = {
  ...ASKED_OF_SERVICE_COMMANDS,
  ...ASKED_OF_RECORD_COMMANDS,
  ...ASKED_OF_TEST_COMMANDS,
  ...ASKED_OF_SETUP_COMMANDS,
}
