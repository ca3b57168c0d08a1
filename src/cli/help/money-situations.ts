import type {Situation} from './situations.ts'

const SEND = {does: 'Send it', words: 'a2a create --transfer FROM:TO:AMOUNT:CURRENCY:TEXT'}
const LOOK = {does: 'Look at what would be sent', words: 'a2a create --from FILE --dry-run'}

/** What callers and colleagues say of money, limits and files. */
export const MONEY_SITUATIONS: readonly Situation[] = [
  {
    about: 'a transfer',
    phrases: 'send money, transfer money, move money, pay out, payout, make transfer, make payment',
    steps: [SEND, {does: 'Send many from a file', words: 'a2a create --from FILE'}],
  },
  {
    about: 'a file of transfers',
    phrases: `
      spreadsheet, excel, salary run, salaries, payroll, payment file, payment list, list of payments,
      file of transfers, customer spreadsheet, customer excel, customer file, transfers spreadsheet,
      transfers excel, excel file, transfers csv, transfers file, xlsx, csv file, import payments,
      upload payments`,
    lacks: 'CSV, TSV and XLSX are read as customers send them, and what is in doubt is asked.',
    steps: [LOOK, {does: 'Send them', words: 'a2a create --from FILE'}],
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
    about: 'a change made by mistake',
    phrases: `
      mistake, blocked wrong, blocked wrong account, wrong account blocked, wrong limit, wrong change,
      changed wrong, closed wrong account, undo change, undo block`,
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
    about: 'limits of a day, a week or a month',
    phrases: `
      daily limit, limit day, limit per day, weekly limit, monthly limit, card limit, spending limit,
      payment limit, atm limit, cash limit, withdrawal limit, limit children, limit child, pocket money,
      usage limit`,
    lacks: 'The service sets them for an account, not for one card.',
    steps: [
      {does: "See a card's limits and what is left of them", words: 'cards get CARD'},
      {does: 'Print a file to fill in, with usageLimits', words: 'accounts patch ID --type TYPE --skeleton'},
      {does: 'Send it', words: 'accounts patch ID --type TYPE --data @FILE'},
    ],
  },
  {
    about: 'a transfer on a later day, or again and again',
    phrases: `
      standing order, recurring transfer, recurring payment, scheduled transfer, future transfer,
      transfer tomorrow, transfer monday, monthly transfer, every month, transfer later`,
    lacks: 'The service sends transfers at once: it has no standing orders and no later dates.',
    steps: [
      {...SEND, does: 'On that day, send it'},
      {does: 'Let a machine send a file', words: 'help nightly-job'},
    ],
  },
  {
    about: 'fees or interest',
    phrases: 'fee, fees, interest, annual fee, interest rate, late fee, reminder fee',
    lacks: 'The service has no operation that books fees or interest, or gives them back.',
    steps: [
      {
        does: 'Switch the posting of interest off for a credit account',
        words: 'accounts patch ID --type credit -F interestPostingEnabled=false',
      },
    ],
  },
  {
    about: 'invoices, and how a customer pays them',
    phrases: 'direct debit, invoice, invoices, e-invoice, einvoice, invoice email, paper invoice',
    lacks: 'Credit accounts have invoices. The service sends no copy of one.',
    steps: [
      {
        does: 'Have them paid by direct debit',
        words: 'accounts patch ID --type credit -F invoicePaymentMethod=DIRECT_DEBIT',
      },
      {
        does: 'Have them sent by email',
        words: 'accounts patch ID --type credit -F invoiceDeliveryMethod=EMAIL',
      },
    ],
  },
]
