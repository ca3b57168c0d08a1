import type {Situation} from './entry.ts'

const ACCOUNT = {
  does: 'Block its account, which declines all its cards',
  words: 'accounts block ID --type TYPE',
}
const LATER = {does: 'Unblock its account', words: 'accounts unblock ID --type TYPE'}

/** The commands that exchange a PIN are refused on live profiles. */
export const PIN_BY_DEVICE =
  'A live profile refuses it: there, only the device of the cardholder sets or shows the PIN.'

/** What people ask of cardctl itself, and of a card that is to be blocked or unblocked. */
export const TOOL_SITUATIONS: readonly Situation[] = [
  {
    about: 'a card to block for a while',
    phrases: `
      block card, temporarily block, block temporarily, block card temporarily, temporarily block card,
      freeze card, lock card, suspend card, pause card`,
    lacks: 'The service has no operation that blocks a card.',
    steps: [
      ACCOUNT,
      {...LATER, does: 'Later, unblock it'},
      {does: 'See its status', words: 'cards get CARD'},
    ],
  },
  {
    about: 'a card to unblock',
    phrases: `
      unblock card, unfreeze card, unlock card, unsuspend card, reactivate card, found again, found card again,
      frozen card found, blocked card found`,
    lacks: 'The service has no operation that unblocks a card.',
    steps: [LATER, {does: 'See its status', words: 'cards get CARD'}],
  },
  {
    about: 'a PIN to show',
    phrases: 'show pin, see pin, view pin, tell pin',
    lacks: PIN_BY_DEVICE,
    steps: [{does: 'Show the PIN', words: 'pin view CARD'}],
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
    about: 'new credentials of a profile',
    phrases: 'rotate credentials, rotate password, rotate secret, change password profile, new credentials',
    steps: [
      {does: 'Type the new one, unseen', words: 'profiles edit NAME --secret -'},
      {does: 'Try it', words: 'profiles test NAME'},
    ],
  },
  {
    about: 'uninstalling cardctl',
    phrases: 'uninstall, deinstall, remove cardctl, delete cardctl, get rid cardctl',
    steps: [
      {does: 'See how each kind of installation is removed', words: 'help installation'},
      {does: 'Remove what cardctl keeps, after a question', words: 'data remove --all'},
    ],
  },
]
