import type {Situation} from '../entry.ts'

/** What callers say of purchases, fees and invoices. */
export const PAYMENTS_AND_PRICES: readonly Situation[] = [
  {
    about: 'a dispute',
    phrases: `
      chargeback, dispute, complaint, complain, claim, wrong charge, charged twice, charge back,
      double charge, double payment, charged double, paid twice, not recognise, unrecognised, unknown charge,
      unknown payment, unknown transaction, recognise charge, recognise payment, charge not mine`,
    lacks: 'The service has no operation for disputes.',
    steps: [
      {does: 'Show what was done for a card from here', words: 'history card ID'},
      {does: 'Write down what was done', words: 'report shift'},
    ],
  },
  {
    about: 'a refund',
    phrases: 'refund, money back, refund card, refund payment, refund purchase',
    lacks:
      "The service has no operation for a refund or chargeback of a card payment: that is up to the merchant, or to the issuer's other systems.",
    steps: [
      {does: 'For a transfer, see from and to which accounts it went', words: 'a2a get ID'},
      {
        does: 'Send a transfer back with one in the other direction',
        words: 'a2a create --transfer FROM:TO:AMOUNT:CURRENCY:TEXT',
      },
    ],
  },
  {
    about: 'what was spent',
    phrases: `
      spent, transactions, transaction, purchases, purchase, statement, balance, account balance,
      list card payments`,
    lacks: 'The built-in contract has no operation that lists purchases or balances.',
    steps: [
      {does: "See a card's limits and what is left of them", words: 'cards get CARD'},
      {
        does: 'If your service has such an operation, import its document',
        words: 'contract import FILE --name NAME',
      },
    ],
  },
  {
    about: 'money that a hotel or petrol station still holds',
    phrases: `
      hold, release hold, hotel hold, hold release, petrol hold, petrol station hold, deposit, hotel deposit, petrol deposit, deposit held, deposit still held,
      held, still held, amount held, blocked amount, amount blocked, money blocked, blocked money, reserved, reserved amount,
      reservation, release reservation, pending amount, pending payment, pending charge, pre-authorisation`,
    lacks:
      'The service has no operation that lists or releases a hold: the merchant collects or reverses it, else it expires. Only the sandbox lists and reverses authorisations.',
    steps: [
      {does: "See a card's limits and what is left of them", words: 'cards get CARD'},
      {does: 'In the sandbox, see what is held', words: 'sandbox authorizations list'},
      {does: 'In the sandbox, release it', words: 'sandbox authorizations reverse ID'},
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
