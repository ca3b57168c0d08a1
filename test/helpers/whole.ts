import process from 'node:process'

/** Whether all cases are wanted, as `npm run soak -- sampled` does, or those that show each behaviour once. */
export const isWhole = process.env.CARDCTL_TESTS === 'whole'

/** All cases in the soak, otherwise one in `oneIn`, from the case at `first` on. */
export const part = <T>(cases: readonly T[], oneIn: number, first = 0): readonly T[] =>
  isWhole ? cases : cases.filter((_, at) => at % oneIn === first % oneIn)

/** How many runs a property gets: a third of those in the soak. */
export const runs = (inSoak: number): number => (isWhole ? inSoak : Math.ceil(inSoak / 3))
