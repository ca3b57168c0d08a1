/** Secrets that stand nowhere else, so that wherever one is found it has leaked. */
export const canaries = {
  // A published test number that the sandbox has no card with.
  pan: '4242424242424242',
  pin: '825396147038',
  newPin: '639258147036',
  pinBlock: 'Q0FOQVJZLXBpbi1ibG9jaw==',
  tzpk: 'Q0FOQVJZLXR6cGs3Mzk1',
  privateKey: 'MIIECANARYprivateKEYoW8kq2',
  bearer: 'canary-bearer-7f3a91c2',
  password: 'canary-password-b82d',
  oauthSecret: 'canary-oauth-5e11d0',
  accessToken: 'canary-access-2c9b47',
  headerKey: 'canary-header-93be61',
  controlToken: 'canary-control-1d4f8a',
  cvv: 'cvv2=739,739',
} as const

/** What the service knows of card 3001, beside what is planted. */
export const held = {pan: '4111111111111111'} as const

const forms = (text: string): readonly string[] => [
  text,
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
  Buffer.from(text).toString('hex'),
  encodeURIComponent(text),
  // As people write card numbers.
  ...(/^\d{16}$/.test(text)
    ? [text.replace(/(\d{4})(?=\d)/g, '$1 '), text.replace(/(\d{4})(?=\d)/g, '$1-')]
    : []),
]

const sought: readonly (readonly [string, string])[] = [
  ...Object.entries(canaries).filter(([name]) => name !== 'cvv'),
  ['held card number', held.pan],
  ['basic credentials', `ops:${canaries.password}`],
].flatMap(([name = '', value = '']) => [...new Set(forms(value))].map(form => [name, form] as const))

/** The names of the secrets that a text or file shows, in the clear or in an encoding that hides nothing. */
export function leaksIn(bytes: string | Uint8Array): readonly string[] {
  const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('latin1')
  const found = sought.filter(([, form]) => text.includes(form)).map(([name]) => name)
  // Three digits are found anywhere; beside their name they are the CVV.
  if (/cvv2?["'\s:=]{1,8}739\b/i.test(text)) found.push('cvv')
  return [...new Set(found)]
}
