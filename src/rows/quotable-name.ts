/**
 * A column's name if it may be quoted in a message, else undefined. A file without a header row has data where the names
 * should be, a card number or a PIN among it; so only what looks like a member's name is ever repeated.
 */
export function quotableName(name: string): string | undefined {
  const looksLikeName = /^[A-Za-z_~][\w.~[\] -]{0,63}$/.test(name)
  return looksLikeName && name.replace(/\D/g, '').length <= 4 ? name : undefined
}

/** A column for a message, by name or by its place (from 1). */
export function columnLabel(name: string | undefined, place: number): string {
  return (name === undefined ? undefined : quotableName(name)) ?? `column ${place}`
}
