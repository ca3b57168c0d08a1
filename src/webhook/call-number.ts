/** FNV-1a, 32 bits with a sign: far less to remember than a text of 36 random characters. */
export function callNumber(id: string): number {
  let hash = 0x811c9dc5 | 0
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  return hash
}
