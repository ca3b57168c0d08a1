import type {Situation} from './entry.ts'

const SEND = {does: 'Send it', words: 'a2a create --transfer FROM:TO:AMOUNT:CURRENCY:TEXT'}
const LOOK = {does: 'Look at what would be sent', words: 'a2a create --from FILE --dry-run'}

export const LOWER_COUNTS =
  'A card and its account both have limits of a day, a week or a month, and the lower one applies. Those of a card cannot be changed here.'
export const SEE_LIMITS = {does: "See a card's limits and what is left of them", words: 'cards get CARD'}
export const SET_USAGE_LIMITS = [
  {
    does: 'For the limits of a day, a week or a month of its account, print a file to fill in',
    words: 'accounts patch ID --type TYPE --skeleton',
  },
  {does: 'Send its usageLimits', words: 'accounts patch ID --type TYPE --data @FILE'},
] as const

/** What callers and colleagues say of money, limits and files. */
export const MONEY_SITUATIONS: readonly Situation[] = [
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
    about: 'an account closed by mistake',
    phrases: `
      closed wrong, closed wrong account, wrong account closed, closed by mistake, undo close, undo account close,
      close mistake`,
    lacks: 'A closed account stays closed, and no undo opens it again.',
    steps: [{does: 'See who closed it, when and why', words: 'history account ID'}],
  },
  {
    about: 'a change made by mistake',
    phrases: `
      mistake, blocked wrong, blocked wrong account, wrong account blocked, wrong limit, wrong change,
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
    about: 'limits of a day, a week or a month',
    phrases: `
      daily limit, daily, limit day, limit per day, weekly limit, monthly limit, card limit, spending limit,
      payment limit, atm limit, cash limit, withdrawal limit, limit children, limit child, pocket money,
      usage limit, limit too low, low limit, limit low`,
    lacks: LOWER_COUNTS,
    steps: [
      SEE_LIMITS,
      {does: 'Set the credit limit of its account', words: 'accounts limit ID AMOUNT --type TYPE'},
      ...SET_USAGE_LIMITS,
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
    about: 'fees or interest',
    phrases: 'fee, fees, interest, interest rate, late fee, reminder fee',
    lacks: 'The service has no operation that books fees or interest, or gives them back.',
    steps: [
      {
        does: 'Switch the posting of interest off for a credit account',
        words: 'accounts patch ID --type credit -F interestPostingEnabled=false',
      },
    ],
  },
  {
    about: 'prices and price lists',
    phrases: `
      price list, price, prices, fees price list, fees abroad, fee abroad, fee withdrawal, charge withdrawal,
      charge abroad, cost abroad, price change, new price, annual fee, yearly fee, fee changes, fee january`,
    lacks:
      'The built-in contract has no operation that shows a price list or adds a period to one: who keeps the price lists knows the prices, and the ids of their periods. Of a period that has begun, only the end can change.',
    steps: [
      {
        does: 'End the period of the old price: DATE is the first day that is not part of it',
        words: 'pricelists period patch ID --valid-to DATE',
      },
      {
        does: 'Set begin and price of a period that has not begun',
        words: 'pricelists period patch ID --valid-from DATE --value PRICE',
      },
      {does: 'See what was changed from here', words: 'history pricelist ID'},
    ],
  },
  {
    about: 'a customer on another price list',
    phrases: `
      other price list, another price list, different price list, customer price list, account price list,
      card price list, switch price list, move price list, wrong price list`,
    lacks:
      "The service has no operation that shows which price list a customer, an account or a card has, or changes it: that is up to the issuer's other systems. Here, a price list can change for all who have it.",
    steps: [
      {does: 'See which fields of an account can change', words: 'accounts patch ID --type TYPE --skeleton'},
      {
        does: 'Change a period of a price list, for all who have it',
        words: 'pricelists period patch ID --value PRICE',
      },
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
    about: 'a note on what was done',
    phrases: 'note, notes, forgot note, add note, note later, note missing, forgot reason, reason later',
    lacks: 'A note cannot be added later. Write it where the ticket is, with the id of the request.',
    steps: [
      {does: 'Find the id of the request', words: 'requests list'},
      {
        does: 'Next time, give the note with the change',
        words: 'accounts limit ID AMOUNT --type TYPE --note TEXT --ticket ID',
      },
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
