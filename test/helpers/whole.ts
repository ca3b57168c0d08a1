import process from 'node:process'

/** Whether all cases are wanted, as `npm run soak -- sampled` does, or those that show each behaviour once. */
export const isWhole = process.env.CARDCTL_TESTS === 'whole'
