import type {Situation} from '../entry.ts'
import {SEND} from './steps.ts'

/** What colleagues ask of what was sent, and of many rows. */
export const REQUESTS: readonly Situation[] = [
  {
    about: 'who changed something',
    phrases: 'who changed, who did, who blocked, who closed, who touched',
    lacks: 'It shows what was done from this machine, not what others did.',
    steps: [
      {does: 'See who changed a card, with its account', words: 'history card ID'},
      {does: 'See who changed an account', words: 'history account ID'},
    ],
  },
  {
    about: 'requests that are open',
    phrases: 'open, open requests, unfinished, pending',
    steps: [
      {does: 'List the requests whose outcome is open', words: 'requests list --open'},
      {does: 'Find out whether the last one had an effect', words: 'requests resolve last'},
    ],
  },
  {
    about: 'a preview of what would be sent',
    phrases: 'preview, see before sending, before sending, dry run, simulate, without sending',
    lacks:
      'One change shows what it would send with --dry-run. Of many rows, cardctl bulk plan writes down what each would change. Neither sends anything.',
    steps: [
      {does: 'For one change', words: 'accounts limit ID AMOUNT --type TYPE --dry-run'},
      {
        does: 'For many, write a plan of what each row would change',
        words: 'bulk plan accounts patch --type TYPE --from FILE --out PLAN',
      },
      {does: 'See the plan', words: 'plan show PLAN'},
    ],
  },
  {
    about: 'a request whose outcome is unknown',
    phrases: `
      lost connection, timed out, timeout, no answer, unknown effect, did it work, request carried,
      timeout transfer, timeout payment, timeout money, timeout money move, no answer transfer, no answer money,
      did money move or not, did money go or not,
      transfer sent or not, money sent or not, lost internet,
      internet lost, connection lost, lost network, lost wifi, wifi lost`,
    steps: [
      {does: 'Find out whether it had an effect', words: 'requests resolve last'},
      {does: 'List requests and their outcomes', words: 'requests list'},
    ],
  },
  {
    about: 'a change made by mistake',
    phrases: `
      mistake, wrong number, number wrong, wrong number typed, mistyped, typed wrong, blocked wrong, blocked wrong account, wrong account blocked, wrong limit, wrong change,
      changed wrong`,
    lacks: 'Most changes can be undone from here. A closed account stays closed.',
    steps: [
      {does: 'See what was sent last', words: 'requests list'},
      {does: 'Take back a change', words: 'requests undo'},
      {
        does: 'Where it says that no earlier value is known, unblock',
        words: 'accounts unblock ID --type TYPE',
      },
    ],
  },
  {
    about: 'a change to undo',
    phrases: 'undo change, undo block, undo last, take back change',
    lacks: 'Most changes can be undone from here. A closed account stays closed.',
    steps: [
      {does: 'Take back a change', words: 'requests undo'},
      {does: 'See what was sent last', words: 'requests list'},
    ],
  },
  {
    about: 'the approval of a second person',
    phrases: `
      four eyes, four eyes approval, second person, approval, propose, propose approve, proposal, proposals,
      dual control, colleague approve`,
    lacks: 'Any change can be proposed with --propose, if the profile names a folder for proposals.',
    steps: [
      {does: 'Propose it', words: `${SEND.words} --propose`},
      {does: 'The colleague sees what waits', words: 'requests proposals'},
      {does: 'The colleague sends it', words: 'requests approve ID'},
      {does: 'See how to set it up, and how to try it out alone', words: 'help four-eyes'},
    ],
  },
  {
    about: 'a bulk job that broke off',
    phrases: `
      batch broke off, batch broke, broke off, batch interrupted, batch stopped, finish batch,
      half sent, half rows, half file, only half, run interrupted, bulk interrupted, bulk run interrupted, bulk broke, bulk stopped`,
    lacks: 'What was sent is in the journal, and bulk resume sends only the rows that are left.',
    steps: [
      {does: 'See which jobs have rows left', words: 'bulk list'},
      {does: 'Send what is left of the last one', words: 'bulk resume last'},
      {does: 'If the outcome of a request is open, find it out', words: 'requests resolve last'},
    ],
  },
  {
    about: 'changes of many accounts',
    phrases: 'several accounts, accounts spreadsheet, limits spreadsheet, all accounts, mass change',
    steps: [
      {
        does: 'Write a plan of what each row would change',
        words: 'bulk plan accounts patch --type TYPE --from FILE --out PLAN',
      },
      {does: 'Send the rows', words: 'bulk run accounts patch --type TYPE --from FILE'},
    ],
  },
  {
    about: 'a list for a spreadsheet',
    phrases: 'export excel, export csv, export spreadsheet, save csv, save excel, open excel',
    lacks: 'Any list is printed as CSV with -o csv.',
    steps: [
      {does: 'The cards of a customer', words: 'cards list --customer ID -o csv'},
      {does: 'What was sent from here', words: 'requests list -o csv'},
    ],
  },
]
