import type {Operation} from '../contract/operation.ts'
import type {Context} from './context.ts'

/** Names of the things that no operation can read. */
const UNREADABLE: Readonly<Record<string, string>> = {
  accounts: 'an account',
  pricelists: 'a price list or its periods',
  pin: 'a PIN',
}

/** What an operation changes, if no operation reads it: "an account". */
export const readlessWords = ({topic}: Operation): string => UNREADABLE[topic] ?? 'it'

/** `--show-change` if no operation can read what is changed. */
export function reportNoRead(context: Context, {topic}: Operation): void {
  const what = UNREADABLE[topic]
  if (what === undefined) return
  context.printer.warn(
    `--show-change shows nothing here: the service offers no read of ${what}. What was sent is shown below, and later by requests show.`,
  )
}
