import type {Situation} from '../entry.ts'
import {NO_BLOCK} from './steps.ts'

/** What callers say of an account, and of themselves. */
export const ACCOUNTS: readonly Situation[] = [
  {
    about: 'a customer who has moved',
    phrases: `
      moved, new address, change address, moved house, street, address, emigrated, emigrates, emigration, moved abroad,
      moves abroad, moved another country, moved country, new country, relocated`,
    lacks:
      'Each card has addresses of its own for the card and its PIN letter. The service has no operation that changes those.',
    steps: [
      {
        does: 'Change the address of the account',
        words:
          'accounts patch ID --type TYPE -F address.address1=STREET -F address.city=CITY -F address.zipCode=CODE -F address.country=FIN',
      },
      {does: 'See where a card and its PIN letter go', words: 'cards get CARD'},
    ],
  },
  {
    about: 'a new account',
    phrases: 'open account, new account, create account, second account',
    lacks: 'The built-in contract has no operation that creates an account.',
    steps: [
      {
        does: 'If your service has such an operation, import its document',
        words: 'contract import FILE --name NAME',
      },
    ],
  },
  {
    about: 'a customer who has died',
    phrases: 'died, dead, deceased, death, passed away, estate',
    lacks: NO_BLOCK,
    steps: [
      {does: 'Block the account of the cards', words: 'accounts block ID --type TYPE'},
      {
        does: 'Close it for good, once everything is settled',
        words: 'accounts close ID --type TYPE --confirm ACCOUNT_TO_CLOSE',
      },
    ],
  },
  {
    about: 'a customer who leaves',
    phrases: 'cancel account, close account, leave bank, terminate contract',
    lacks:
      'The built-in contract has no operation that reads the balance: make sure that nothing is left on the account.',
    steps: [
      {does: 'Close the account for good', words: 'accounts close ID --type TYPE --confirm ACCOUNT_TO_CLOSE'},
    ],
  },
  {
    about: 'an account to close on a date',
    phrases: 'end of month, close date, close later, close end of month, close account end of month',
    lacks: 'The service has no operation that closes an account on a date: a close counts at once.',
    steps: [
      {
        does: 'On that day, close the account for good',
        words: 'accounts close ID --type TYPE --confirm ACCOUNT_TO_CLOSE',
      },
    ],
  },
  {
    about: 'a debt or an overdraft',
    phrases: `
      debt, overdraft, overdrawn, minus, negative, negative balance, balance negative, owes, red,
      below zero, close overdrawn, close overdrawn account, close account negative, close negative account`,
    lacks:
      'The built-in contract has no operation that reads what an account owes. Pay it before you close the account: accounts close does not look at the balance.',
    steps: [
      {does: "See a card's limits and what is left of them", words: 'cards get CARD'},
      {does: 'In the sandbox, see the account with its balance', words: 'sandbox state show account ID'},
      {
        does: 'Pay what it owes from another account',
        words: 'a2a create --transfer FROM:TO:AMOUNT:CURRENCY:TEXT',
      },
    ],
  },
  {
    about: 'a change of name',
    phrases: `
      married, marriage, got married, divorced, maiden name, new name, new surname, new last name, last name,
      change name, changed name, name changed, surname, name change`,
    lacks: 'The service has no operation that changes the name on a card.',
    steps: [{does: 'Change the name of the account', words: 'accounts patch ID --type TYPE --name NAME'}],
  },
  {
    about: 'an account closed by mistake',
    phrases: `
      closed wrong, closed wrong account, wrong account closed, closed by mistake, undo close, undo account close,
      close mistake, reopen, reopen account, reopen closed account, open closed account, open account again,
      account open again, unblock closed account, unclose`,
    lacks: 'A closed account stays closed, and no undo opens it again.',
    steps: [{does: 'See who closed it, when and why', words: 'history account ID'}],
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
]
