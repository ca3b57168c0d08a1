// What several situations begin with or lack.
export const FIND_CARD = {does: 'Find the card', words: 'cards list --customer ID'}
export const BLOCK = {
  does: 'Block its account, which declines all its cards',
  words: 'accounts block ID --type TYPE',
}
export const NO_BLOCK = 'The service has no operation that blocks a card.'
export const SEND = {does: 'Send it', words: 'a2a create --transfer FROM:TO:AMOUNT:CURRENCY:TEXT'}
