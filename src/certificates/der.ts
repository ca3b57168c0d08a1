/** The part of DER (ITU-T X.690) that a certificate needs: tag, length, content. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

/** Short form up to 127. Above, the number of length bytes comes first. */
function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const hex = length.toString(16)
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

export const sequence = (...items: readonly Uint8Array[]) => der(0x30, ...items)
export const set = (...items: readonly Uint8Array[]) => der(0x31, ...items)
export const utf8String = (text: string) => der(0x0c, Buffer.from(text, 'utf8'))
export const octetString = (content: Uint8Array) => der(0x04, content)
export const boolean = (value: boolean) => der(0x01, Buffer.from([value ? 0xff : 0]))
/** @param unused bits at the end of the last byte that don't count. */
export const bitString = (content: Uint8Array, unused = 0) => der(0x03, Buffer.from([unused]), content)
/** Context-specific tags: constructed, or primitive with its content. */
export const context = (number: number, ...items: readonly Uint8Array[]) => der(0xa0 | number, ...items)
export const contextPrimitive = (number: number, content: Uint8Array) => der(0x80 | number, content)

/** A positive integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const negative = ((bytes[0] ?? 0) & 0x80) !== 0
  return der(0x02, negative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

/** An object identifier in dots: `2.5.29.17`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(arc: number): number[] {
  const low = arc & 0x7f
  return arc < 0x80 ? [low] : [...base128(Math.floor(arc / 0x80)).map(byte => byte | 0x80), low]
}

/** UTCTime to 2049, GeneralizedTime after (RFC 5280, 4.1.2.5). */
export function time(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().replace(/[-:T]|\.\d+Z$/g, '')
  return Number(digits.slice(0, 4)) < 2050
    ? der(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : der(0x18, Buffer.from(`${digits}Z`))
}
