import type {Situation} from '../entry.ts'

const LOWER_COUNTS =
  'A card and its account both have limits of a day, a week or a month, and the lower one applies. Those of a card cannot be changed here.'
const SEE_LIMITS = {does: "See a card's limits and what is left of them", words: 'cards get CARD'}
const SET_USAGE_LIMITS = [
  {
    does: 'For the limits of a day, a week or a month of its account, print a file to fill in',
    words: 'accounts patch ID --type TYPE --skeleton',
  },
  {does: 'Send its usageLimits', words: 'accounts patch ID --type TYPE --data @FILE'},
] as const

/** What callers say of limits. */
export const LIMITS: readonly Situation[] = [
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
    lacks: `The service changes a limit at once, and nothing changes it back on a date: set it back on that day. Note the limit of today first. ${LOWER_COUNTS}`,
    steps: [
      SEE_LIMITS,
      {does: 'Set the credit limit', words: 'accounts limit ID AMOUNT --type TYPE'},
      ...SET_USAGE_LIMITS,
      {
        does: 'On that day, take the change back, if the limit before it was set from here',
        words: 'requests undo REQUEST',
      },
    ],
  },
  {
    about: 'limits of a day, a week or a month',
    phrases: `
      daily limit, daily, limit day, limit per day, weekly limit, monthly limit, card limit, spending limit,
      payment limit, limit children, limit child, pocket money,
      usage limit, limit too low, low limit, limit low`,
    lacks: LOWER_COUNTS,
    steps: [
      SEE_LIMITS,
      {does: 'Set the credit limit of its account', words: 'accounts limit ID AMOUNT --type TYPE'},
      ...SET_USAGE_LIMITS,
    ],
  },
  {
    about: 'a limit of cash',
    phrases: `
      cash limit, atm limit, withdrawal limit, lower cash limit, raise cash limit, higher cash limit, change cash limit,
      cash limit day, daily cash limit, lower withdrawal limit, raise withdrawal limit, limit cash`,
    lacks: `${LOWER_COUNTS} A credit limit is none of cash.`,
    steps: [SEE_LIMITS, ...SET_USAGE_LIMITS],
  },
]
