/**
 * Names under which secrets travel in this trade, whoever wrote the document. They decide only where no contract does:
 * unknown members, headers, query parameters, form fields.
 */
const SECRET_WORDS = new Set([
  'authorization',
  'authorisation',
  'apikey',
  'accesskey',
  'accesstoken',
  'bearertoken',
  'cardnumber',
  'clientassertion',
  'clientkey',
  'clientsecret',
  'controltoken',
  'cookie',
  'credential',
  'credentials',
  'cvc',
  'cvc2',
  'cvv',
  'cvv2',
  'encryptedpin',
  'fullcardnumber',
  'idtoken',
  'jwt',
  'passphrase',
  'passwd',
  'password',
  'pan',
  'pin',
  'pinblock',
  'primaryaccountnumber',
  'privatekey',
  'refreshtoken',
  'secret',
  'secretkey',
  'securitycode',
  'session',
  'sessionid',
  'sessiontoken',
  'setcookie',
  'sharedsecret',
  'signature',
  'signingkey',
  'subscriptionkey',
  'symmetrickey',
  'token',
  'track1',
  'track2',
  'tzpk',
])

/** Whether a member, header or parameter of this name holds a secret; case, `-`, `_`, `.` and spaces don't count. */
export function isSecretName(name: string, more: readonly string[] = []): boolean {
  const plain = plainName(name)
  return SECRET_WORDS.has(plain) || more.some(other => plainName(other) === plain)
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, '')
}
