import type {Situation} from '../entry.ts'
import {BLOCK, FIND_CARD} from './steps.ts'

const PROVISION = {
  does: 'Make the data that a phone needs to add a card; FILE has what the app on the phone sent',
  words: 'wallets provision CARD --wallet walleta --data @FILE',
}
/** The commands that exchange a PIN are refused on live profiles. */
export const PIN_BY_DEVICE =
  'A live profile refuses it: there, only the device of the cardholder sets or shows the PIN.'

/** What callers say of phones, wallets and PINs. */
export const PHONES_AND_PINS: readonly Situation[] = [
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
    about: 'a PIN to show',
    phrases: 'show pin, see pin, view pin, tell pin',
    lacks: PIN_BY_DEVICE,
    steps: [{does: 'Show the PIN', words: 'pin view CARD'}],
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
    about: 'a card to remove from a phone',
    phrases: `
      remove phone, remove card phone, delete card phone, remove wallet, delete wallet, sold phone,
      phone sold, old phone`,
    lacks:
      'The service has no operation that removes a card from a wallet: the customer removes it on the phone, or in the account of its maker.',
    steps: [{...BLOCK, does: 'If somebody else has the phone, block the account of the card'}],
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
]
