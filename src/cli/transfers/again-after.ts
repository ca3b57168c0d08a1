/** For so long the same set of transfers is refused, ms. */
export const AGAIN_AFTER_MS = 7 * 86_400_000
