import type {Situation} from './entry.ts'
import {LOWER_COUNTS, MONEY_SITUATIONS, SEE_LIMITS, SET_USAGE_LIMITS} from './money-situations.ts'
import {alike, inWordsOfPages} from './synonyms.ts'
import {phrasesIn, termsOf} from './terms.ts'
import {PIN_BY_DEVICE, TOOL_SITUATIONS} from './tool-situations.ts'

/** What callers name when a card is declined abroad. */
const COUNTRIES = `
  norway, sweden, denmark, finland, iceland, estonia, latvia, lithuania, poland, germany, austria,
  switzerland, netherlands, belgium, france, spain, portugal, italy, greece, turkey, ireland,
  united kingdom, england, scotland, usa, america, canada, mexico, brazil, thailand, japan, china, india,
  australia, egypt, morocco, dubai`
const PLACES = new Set(termsOf(`${COUNTRIES} abroad country countries foreign`))

/** Where something happened, which tells less than what. */
export const isPlace = (term: string): boolean => PLACES.has(term)

const FIND_CARD = {does: 'Find the card', words: 'cards list --customer ID'}
const BLOCK = {
  does: 'Block its account, which declines all its cards',
  words: 'accounts block ID --type TYPE',
}
const PROVISION = {
  does: 'Make the data that a phone needs to add a card; FILE has what the app on the phone sent',
  words: 'wallets provision CARD --wallet walleta --data @FILE',
}
const NO_BLOCK = 'The service has no operation that blocks a card.'

/** Extend it for a new situation; a test checks that each command exists and takes its flags. */
export const SITUATIONS: readonly Situation[] = [
  {
    about: 'a stolen or lost card',
    phrases: `
      stolen, lost card, theft, thief, robbed, missing card, card lost, stole, report stolen, report lost,
      card swallowed, swallowed card, purse, handbag, atm kept card, stolen card replacement,
      lost card replacement, stolen card replaced, lost card replaced, lost`,
    lacks: `${NO_BLOCK} Whether it counts as lost or stolen, and a new card, are up to the issuer's other systems.`,
    steps: [FIND_CARD, BLOCK, {does: 'Once the card is found', words: 'accounts unblock ID --type TYPE'}],
  },
  {
    about: 'suspected fraud',
    phrases: 'fraud, scam, phishing, suspicious, hacked, unknown purchase, unauthorised, unauthorized',
    lacks: NO_BLOCK,
    steps: [BLOCK, {does: 'See who changed the card or its account from here', words: 'history card ID'}],
  },
  {
    about: 'payments abroad or on the internet',
    phrases: `
      abroad, online, internet, country, countries, ${COUNTRIES}, holiday, vacation, travel, region,
      regions, foreign country, africa, asia, ecommerce, e-commerce, online shop, internet purchase`,
    lacks:
      'The service has no operation that changes the regions of a card. It knows no countries, only the home country and parts of the world: Norway is in europe, unless it is home.',
    steps: [{does: 'See which regions a card is blocked for', words: 'cards get CARD'}],
  },
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
    about: 'a transfer that should come back',
    phrases: `
      recall, return transfer, refund transfer, cancel transfer, stop transfer, cancel payment,
      wrong account, wrong transfer, reverse transfer, take back, wrong amount, wrong recipient,
      too much money, sent wrong`,
    lacks: 'A transfer cannot be cancelled or recalled. Send the money back with one in the other direction.',
    steps: [
      {does: 'See from and to which accounts it went', words: 'a2a get ID'},
      {does: 'Send it back', words: 'a2a create --transfer FROM:TO:AMOUNT:CURRENCY:TEXT'},
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
    about: 'a sandbox that begins from a known state',
    phrases: `
      snapshot, fixture, fixtures, restore sandbox, restore state, save state, same state, known state,
      copy sandbox, test data`,
    steps: [
      {does: 'Save its whole state', words: 'sandbox snapshot save NAME'},
      {does: 'Come back to it', words: 'sandbox snapshot load NAME'},
      {does: 'Serve a sandbox that begins with it', words: 'sandbox serve --from NAME'},
      {does: 'Restore the demo data', words: 'sandbox reset'},
    ],
  },
  {
    about: 'a declined payment or a limit that is reached',
    phrases: `
      limit reached, over limit, declined, payment refused, card refused, not working, raise limit,
      higher limit, increase limit, does not work`,
    lacks: LOWER_COUNTS,
    steps: [
      {does: "See the card's status, regions and what is left of its limits", words: 'cards get CARD'},
      {does: 'See whether its account was blocked from here', words: 'history card ID'},
      {does: 'Set the credit limit of its account', words: 'accounts limit ID AMOUNT --type TYPE'},
      ...SET_USAGE_LIMITS,
    ],
  },
  {
    about: 'a limit for some days only',
    phrases: `
      temporary, temporarily, temporary limit, holiday limit, limit holiday, limit vacation, limit travel,
      limit abroad, higher limit holiday, raise limit holiday, raise limit until, until, week, weekend, monday, tuesday,
      wednesday, thursday, friday, saturday, sunday, raise limit day, higher limit day, limit one day,
      limit tomorrow`,
    lacks: `The service changes a limit at once, and nothing changes it back on a date: set it back on that day. ${LOWER_COUNTS}`,
    steps: [
      SEE_LIMITS,
      {does: 'Set the credit limit', words: 'accounts limit ID AMOUNT --type TYPE'},
      ...SET_USAGE_LIMITS,
      {does: 'On that day, take the change back', words: 'requests undo REQUEST'},
    ],
  },
  {
    about: 'wrong PINs',
    phrases: `
      wrong pin, pin tries, pin blocked, blocked pin, pin attempts, pin locked, locked pin, too many tries`,
    lacks: PIN_BY_DEVICE,
    steps: [
      {does: 'See the wrong tries', words: 'cards get CARD'},
      {does: 'Unblock the PIN by setting a new one', words: 'pin unblock CARD'},
    ],
  },
  {
    about: 'a forgotten PIN',
    phrases: 'forgotten pin, forgot pin, lost pin, remember pin, new pin, change pin',
    lacks: PIN_BY_DEVICE,
    steps: [
      {does: 'Set a new PIN', words: 'pin set CARD'},
      {does: 'Show the PIN', words: 'pin view CARD'},
    ],
  },
  {
    about: 'a lost or stolen phone',
    phrases: `
      phone lost, phone stolen, phone missing, watch lost, watch stolen, lost device, wallet lost phone,
      lost phone wallet, wallet stolen phone, stolen phone wallet`,
    lacks: 'The service has no operation that removes a card from a wallet, and none that blocks a card.',
    steps: [FIND_CARD, BLOCK, {does: 'Once the phone is found', words: 'accounts unblock ID --type TYPE'}],
  },
  {
    about: 'a card or letter that did not arrive',
    phrases: `
      not arrived, not received, did not arrive, never arrived, card mail, card post, pin letter,
      waiting card, card waiting, lost in the mail, lost in the post, letter lost, mail lost`,
    lacks: 'The service does not know where a letter is.',
    steps: [
      {does: 'See where the card and its PIN go to', words: 'cards get CARD'},
      {does: 'See when its plastics were produced', words: 'cards plastics CARD'},
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
    about: 'a card to remove from a phone',
    phrases: `
      remove phone, remove card phone, delete card phone, remove wallet, delete wallet, sold phone,
      phone sold, old phone`,
    lacks:
      'The service has no operation that removes a card from a wallet: the customer removes it on the phone, or in the account of its maker.',
    steps: [{...BLOCK, does: 'If somebody else has the phone, block the account of the card'}],
  },
  {
    about: 'kinds of purchases that a card should not pay',
    phrases: `
      gambling, block gambling, gambling block, gambling card, casino, contactless off, switch contactless, block contactless,
      block online, block internet, block shop, block merchant, switch off`,
    lacks: 'The service has no operation that switches kinds of purchases on or off.',
    steps: [{does: 'See which regions a card is blocked for', words: 'cards get CARD'}],
  },
  {
    about: 'click to pay',
    phrases: `
      click to pay, click pay, remote checkout, checkout without card number, checkout, payment link,
      pay link, checkout link, link payment`,
    lacks:
      'The service has no operation that makes a payment link or a checkout. It enrols cards for click to pay.',
    steps: [
      {does: 'See the enrolled customer and cards', words: 'remotecheckout get --customer ID'},
      {
        does: 'Enrol a card',
        words: 'remotecheckout enroll --customer ID --card CARD --email aino@example.com',
      },
      {does: 'Remove a card', words: 'remotecheckout delete --card CARD'},
    ],
  },
  {
    about: 'a password or token that the service refuses',
    phrases: `
      token expired, expired token, new token, wrong token, token wrong, password wrong, wrong password,
      new password, password expired, password changed, not authorised service, 401, new secret,
      client secret`,
    steps: [
      {does: 'Type the new one, unseen', words: 'profiles edit NAME --secret -'},
      {does: 'Try it', words: 'profiles test NAME'},
    ],
  },
  {
    about: 'a card in a phone',
    phrases: `
      new phone, mobile wallet, phone wallet, phone pay, smart watch, add to wallet, push provisioning,
      apple pay, google pay, apple wallet, google wallet, apple, google, tokenise, tokenize`,
    lacks:
      'A service has its own names for wallets, such as walleta: its documentation says which one a phone has. The app on the phone gives the data to send.',
    steps: [PROVISION],
  },
  {
    about: 'a card that a wallet refuses',
    phrases: `
      wallet declined, wallet refused, wallet refuses, wallet token, wallet error, token refused,
      token declined, google pay refused, google pay declined, apple pay refused, apple pay declined,
      phone refused card`,
    lacks:
      'The service has no operation that shows the tokens of a card, or why a wallet refused one: the maker of the phone knows.',
    steps: [
      {does: 'See whether the card can be used, and when it expires', words: 'cards get CARD'},
      {does: 'See whether its account was blocked from here', words: 'history card ID'},
      PROVISION,
    ],
  },
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
    about: 'a copy of what is kept of a customer',
    phrases: `
      data request, gdpr, gdpr copy, gdpr request, subject access, subject access request, access request, data copy,
      copy of data, everything you hold, everything you know, personal data request, right of access`,
    lacks:
      'The service has no operation that hands out all that it keeps of a customer: only the people who run the service can. These show a part of it.',
    steps: [
      {
        does: 'List the cards of the customer, with their addresses',
        words: 'cards list --customer ID -o json',
      },
      {does: 'See the customer in click to pay', words: 'remotecheckout get --customer ID'},
      {does: 'See what was done from here', words: 'history customer ID'},
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
    about: 'a new card',
    phrases: `
      replacement card, replacement, replaced, replace card, damaged card, broken card, new card,
      renew card, order card, card wife, card husband, second card, extra card,
      additional card, virtual card, chip broken, broken chip, card broken, chip defective, card worn`,
    lacks: 'The service has no operation that creates or replaces a card.',
    steps: [{does: 'See when a card expires, and its plastics', words: 'cards plastics CARD'}],
  },
  {
    about: 'an expired card',
    phrases: 'expired, expired card, card expired, card expires, expiry, expire, run out, ran out',
    lacks:
      'A card that has expired stays so, and its payments are declined. The service has no operation that renews a card: the issuer sends a new plastic or card.',
    steps: [
      {does: 'See when it expires, and its status', words: 'cards get CARD'},
      {does: 'See whether a new plastic was produced', words: 'cards plastics CARD'},
      {does: 'See whether the customer has a new card', words: 'cards list --customer ID'},
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
    about: 'who changed something',
    phrases: 'who changed, who did, who blocked, who closed, who touched',
    lacks: 'It shows what was done from this machine, not what others did.',
    steps: [
      {does: 'See who changed a card, with its account', words: 'history card ID'},
      {does: 'See who changed an account', words: 'history account ID'},
    ],
  },
  {
    about: 'where data is stored',
    phrases: 'data stored, files stored, data kept, files kept, data folder',
    steps: [{does: 'See where each file is', words: 'data where'}],
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
    about: 'a change of name',
    phrases: 'married, new name, change name, surname, name change',
    lacks: 'The service has no operation that changes the name on a card.',
    steps: [{does: 'Change the name of the account', words: 'accounts patch ID --type TYPE --name NAME'}],
  },
  {
    about: 'the last four digits of a card',
    phrases: `
      last4, last four, last 4, last four digits, last digits, card ending, card ends, ending digits, find by name,
      search by name, search name, holder name, customer name, card not found, card cannot be found`,
    lacks:
      'The service finds cards by id, reference number, whole card number, customer or account, not by name or last digits. Ask for one of these: among the cards of a customer or an account, cardctl finds the last digits. Its journal keeps no card numbers.',
    steps: [
      {
        does: 'Find the last four digits among the cards of a customer',
        words: 'cards list --customer ID --last4 1234',
      },
      {does: 'Or among the cards of an account', words: 'cards list --account ID --last4 1234'},
      {does: 'List the cards of a customer with holders and last digits', words: 'cards list --customer ID'},
      {does: 'Find a card by its whole number, typed unseen', words: 'find --card-number'},
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
    about: 'a window that was closed, or a machine that went off',
    phrases: `
      closed window, window closed, terminal closed, closed terminal, crash, crashed, power cut,
      computer off, interrupted`,
    lacks: 'What was sent is in the journal, and nothing is sent twice.',
    steps: [
      {does: 'List the requests whose outcome is open', words: 'requests list --open'},
      {does: 'Find out whether the last one had an effect', words: 'requests resolve last'},
      {does: 'Go on with a bulk job', words: 'bulk resume last'},
    ],
  },
  {
    about: 'no network',
    phrases: 'no internet, no network, no connection, offline, network down, internet down',
    steps: [{does: 'Find out what is wrong on the way to the service', words: 'doctor'}],
  },
  {
    about: 'a page on paper or as a PDF',
    phrases: 'pdf, paper, print page, print report',
    lacks: 'cardctl writes no PDF: open the page in a browser, and print it to one.',
    steps: [
      {does: 'Write a page about a shift', words: 'report shift --html FILE'},
      {does: 'Write a page about a batch of transfers', words: 'report batch ID --html FILE'},
    ],
  },
  {
    about: 'the end of a shift',
    phrases: 'hand over, handover, end of shift, boss, manager, yesterday',
    steps: [{does: 'Report what was done, and what is open', words: 'report shift'}],
  },
  ...MONEY_SITUATIONS,
  ...TOOL_SITUATIONS,
]

export const phrasesOf = ({phrases}: Situation): readonly string[] => phrasesIn(phrases)

/** The situation that the words are about; undefined if none has a phrase of them, or only shorter ones. The longest wins. */
export const situationOf = (words: readonly string[], shortest = 1): Situation | undefined =>
  longestMatch(words, shortest)?.situation

/** With the words of all its phrases that the question has. */
export function longestMatch(
  words: readonly string[],
  shortest = 1,
): {readonly situation: Situation; readonly terms: readonly string[]} | undefined {
  const given = termsOf(inWordsOfPages(words.join(' ')))
  const all = new Set(given)
  const line = ` ${given.join(' ')} `
  const others = given.map(term => [term, alike(term)] as const)
  const found: {situation: Situation; terms: readonly string[]; score: number}[] = []
  for (const {situation, terms} of readPhrases()) {
    if (terms.length < shortest) continue
    const had = terms.filter(term => all.has(term))
    if (had.length === 0) continue
    // A word stands for one of a phrase.
    const isMeant = (term: string): boolean =>
      others.some(([each, meant]) => !had.includes(each) && meant.includes(term))
    const missed = terms.filter(term => !all.has(term))
    if (!missed.every(isMeant)) continue
    const close = had.length + CLOSE * missed.length - (terms.every(isPlace) ? PLACE : 0)
    const score = close + (line.includes(` ${terms.join(' ')} `) ? TOGETHER : 0)
    found.push({situation, terms, score})
  }
  const most = Math.max(0, ...found.map(({score}) => score))
  const candidates = found
    .filter(({score}) => score === most)
    .map(({situation}) => ({
      situation,
      terms: [...new Set(found.filter(each => each.situation === situation).flatMap(({terms}) => terms))],
    }))
  // Of phrases of one length, the situation that has more of the question.
  return candidates.toSorted((a, b) => b.terms.length - a.terms.length)[0]
}

/** A word that means the same counts less, and words that stand together more. */
const CLOSE = 0.4
const TOGETHER = 0.3
const PLACE = 0.1

let phrasesRead: readonly {readonly situation: Situation; readonly terms: readonly string[]}[] | undefined

const readPhrases = (): NonNullable<typeof phrasesRead> =>
  (phrasesRead ??= SITUATIONS.flatMap(situation =>
    [...phrasesOf(situation), ...titlesOf(situation)].map(phrase => ({
      situation,
      terms: termsOf(inWordsOfPages(phrase)),
    })),
  ))

/** What a situation is called, unless that is a word of many others. */
const titlesOf = ({about}: Situation): readonly string[] =>
  about.split(/ or |, /).filter(title => new Set(termsOf(title)).size > 1)
