import type {Situation} from '../entry.ts'
import {SEND} from './steps.ts'

const LOOK = {does: 'Look at what would be sent', words: 'a2a create --from FILE --dry-run'}

/** What callers and colleagues say of transfers between accounts. */
export const TRANSFERS: readonly Situation[] = [
  {
    about: 'a transfer that should come back',
    phrases: `
      recall, recall transfer, recall transfers, transfer recall, return transfer, refund transfer, cancel transfer, stop transfer, cancel payment,
      wrong account, wrong transfer, reverse transfer, take back, wrong amount, wrong recipient,
      too much money, sent wrong`,
    lacks: 'A transfer cannot be cancelled or recalled. Send the money back with one in the other direction.',
    steps: [
      {does: 'See from and to which accounts it went', words: 'a2a get ID'},
      {does: 'Send it back', words: 'a2a create --transfer FROM:TO:AMOUNT:CURRENCY:TEXT'},
    ],
  },
  {
    about: 'a transfer that did not arrive',
    phrases: `
      money not arrived, transfer not arrived, payment not arrived, batch not arrived, salary not arrived,
      transfers not arrived, payments not arrived, money missing`,
    steps: [
      {does: 'See from and to which accounts it went, and its state', words: 'a2a get ID'},
      {does: 'List the batches', words: 'a2a list'},
    ],
  },
  {
    about: 'a transfer',
    phrases: 'send money, transfer money, move money, pay out, payout, make transfer, make payment',
    steps: [SEND, {does: 'Send many from a file', words: 'a2a create --from FILE'}],
  },
  {
    about: 'a transfer that failed',
    phrases: `
      failed transfer, transfer failed, failed transfers, fix transfer, correct transfer, bounced transfer,
      transfer bounced, failed batch, batch failed, failed payment, payment failed`,
    lacks: 'A batch is not changed afterwards: what failed is sent again, corrected, in a new one.',
    steps: [
      {does: 'See which transfers failed, and why', words: 'a2a get ID'},
      {does: 'Write those to a file, and correct it', words: 'a2a get ID --failed-to FILE'},
      {does: 'Send the file', words: 'a2a create --from FILE'},
    ],
  },
  {
    about: 'a file of transfers',
    phrases: `
      spreadsheet, excel, salary run, salaries, payroll, payment file, payment list, list of payments,
      file of transfers, customer spreadsheet, customer excel, customer file, transfers spreadsheet,
      transfers excel, excel file, transfers csv, transfers file, xlsx, csv file, import payments,
      upload payments, negative amount, amount negative`,
    lacks:
      'CSV, TSV and XLSX are read as customers send them, and what is in doubt is asked. A negative amount is refused.',
    steps: [LOOK, {does: 'Send them', words: 'a2a create --from FILE'}],
  },
  {
    about: 'a transfer that went out twice',
    phrases: `
      double, twice, duplicate, sent twice, booked twice, transfer twice, twice transfer, double transfer,
      double booking, duplicate transfer, duplicate payment, same transfer`,
    lacks: 'Before it sends, a2a create names what was sent from this machine in the last 7 days.',
    steps: [
      {does: 'See what was sent from or to an account', words: 'history account ID'},
      {does: 'Send one of them back, in the other direction', words: SEND.words},
    ],
  },
  {
    about: 'a transfer on a later day, or again and again',
    phrases: `
      standing order, recurring transfer, recurring payment, scheduled transfer, future transfer,
      transfer tomorrow, transfer monday, monthly transfer, every month, transfer later`,
    lacks: 'The service sends transfers at once: it has no standing orders and no later dates.',
    steps: [
      {does: 'See what was sent from or to the account from here', words: 'history account ID'},
      {...SEND, does: 'On that day, send it'},
      {does: 'Let a machine send a file', words: 'help nightly-job'},
    ],
  },
  {
    about: 'a wrong currency',
    phrases: `
      wrong currency, charged dollars, charged currency, dollars, currency conversion`,
    lacks:
      'The service has no operation that shows or changes the currency of a purchase: that is up to the merchant and the card network.',
    steps: [
      {does: 'For a transfer, see its amount and currency', words: 'a2a get ID'},
      {
        does: 'Send a transfer back with one in the other direction',
        words: SEND.words,
      },
    ],
  },
  {
    about: 'money for a customer as goodwill',
    phrases: 'goodwill, goodwill credit, compensation, compensate, give credit, credit customer, add money',
    lacks: 'It is a transfer from an account of yours.',
    steps: [SEND, {does: 'If a second person must agree, propose it', words: `${SEND.words} --propose`}],
  },
]
