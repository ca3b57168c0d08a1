/** Where in a rule file something stands, and whom to tell what is wrong with it: a sentence without a full stop. */
export interface Place {
  readonly pointer: string
  report(pointer: string, message: string): void
}

export const inside = ({pointer, report}: Place, ...steps: readonly (string | number)[]): Place => ({
  pointer: [pointer, ...steps.map(step => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))].join(
    '/',
  ),
  report,
})
