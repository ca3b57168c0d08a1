import type {Situation} from '../entry.ts'
import {BLOCK, FIND_CARD, NO_BLOCK} from './steps.ts'

/** What callers name when a card is declined abroad. */
export const COUNTRIES = `
  norway, sweden, denmark, finland, iceland, estonia, latvia, lithuania, poland, germany, austria,
  switzerland, netherlands, belgium, france, spain, portugal, italy, greece, turkey, ireland,
  united kingdom, england, scotland, usa, america, canada, mexico, brazil, thailand, japan, china, india,
  australia, egypt, morocco, dubai`
const LATER = {does: 'Unblock its account', words: 'accounts unblock ID --type TYPE'}

/** What callers say of their cards. */
export const CARDS: readonly Situation[] = [
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
    about: 'a new card',
    phrases: `
      replacement card, replacement, replaced, replace card, damaged card, broken card, new card,
      renew card, order card, card wife, card husband, second card, extra card,
      additional card, virtual card, chip broken, broken chip, card broken, chip defective, card worn`,
    lacks: 'The service has no operation that creates or replaces a card.',
    steps: [{does: 'See when a card expires, and its plastics', words: 'cards plastics CARD'}],
  },
  {
    about: 'cards that expire soon',
    phrases: `
      expire soon, expires soon, expiring soon, soon expire, cards expire soon, cards expire month,
      cards expire year, expire next month, expires next month, expire next year, list expiring cards`,
    lacks: 'The service has no list of cards by expiry date.',
    steps: [
      {does: 'List the cards of a customer', words: 'cards list --customer ID'},
      {does: 'See when one card expires', words: 'cards get CARD'},
      {does: 'See whether a new plastic was produced', words: 'cards plastics CARD'},
    ],
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
    about: 'a card to block for a while',
    phrases: `
      block card, temporarily block, block temporarily, block card temporarily, temporarily block card,
      freeze card, lock card, suspend card, pause card`,
    lacks: 'The service has no operation that blocks a card.',
    steps: [BLOCK, {...LATER, does: 'Later, unblock it'}, {does: 'See its status', words: 'cards get CARD'}],
  },
  {
    about: 'a card to unblock',
    phrases: `
      unblock card, unfreeze card, unlock card, unsuspend card, reactivate card, found again, found card again,
      frozen card found, blocked card found`,
    lacks: 'The service has no operation that unblocks a card.',
    steps: [LATER, {does: 'See its status', words: 'cards get CARD'}],
  },
]
