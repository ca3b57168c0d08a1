export interface MaskStyle {
  /** What stands for a hidden digit: the bullet, or an asterisk where only ASCII is safe. */
  readonly filler?: '•' | '*' | undefined
}

/** How many digits of a card number stay readable at each end (PCI DSS 4.0, requirement 3.4.1). */
export const SHOWN_FIRST = 6
export const SHOWN_LAST = 4
