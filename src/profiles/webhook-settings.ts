import {isObject} from '../errors/is-object.ts'
import {
  SIGNATURE_PRESET_NAMES,
  SIGNATURE_PRESETS,
  type SignatureForm,
  type SignaturePreset,
  signedProblem,
} from '../network/signature-defaults.ts'
import {headerName} from './auth-settings.ts'
import {checkCertificatePair, checkHostName} from './setting-checks.ts'
import {
  checkedText,
  flag,
  list,
  number,
  object,
  oneOf,
  path,
  type Raw,
  type Read,
  secret,
  setting,
  text,
} from './value-types.ts'

const authMembers = {
  type: setting(oneOf(['basic', 'bearer', 'header']), {
    default: 'basic',
    doc: 'the credential that every authorisation call carries: `basic`, `bearer`, or `header`, a header of any name',
    flag: flag('webhook-auth', 'choice', 'Credential of authorisation calls (default basic).'),
  }),
  user: setting(text(/^[^:\p{Cc}]{1,200}$/u, 'must be 1 to 200 characters without a colon'), {
    doc: 'its user name, with `basic`',
    flag: flag('webhook-user', 'text', 'User name of authorisation calls, with --webhook-auth basic.'),
  }),
  name: setting(headerName, {
    doc: 'the name of the header, with `header`',
    flag: flag('webhook-header-name', 'text', 'Name of the header, with --webhook-auth header.'),
  }),
  secret: setting(secret, {
    required: true,
    doc: 'the password, token or value of the header',
    flag: flag(
      'webhook-secret',
      'secret',
      'Password, token or header value of authorisation calls. Use - to read it from stdin and store it in the keyring.',
      'env:NAME|file:PATH|cmd:COMMAND|-',
    ),
  }),
}

const {header, timestampHeader, idHeader, signed, encoding, toleranceMs} = SIGNATURE_PRESETS.plain

/** What the preset of a profile says. */
const byPreset =
  <Name extends keyof SignatureForm>(name: Name) =>
  (entry: Raw): SignatureForm[Name] => {
    const {signature} = isObject(entry.webhook) ? entry.webhook : {}
    const {preset = 'plain'} = isObject(signature) ? signature : {}
    const known = SIGNATURE_PRESET_NAMES.includes(preset as SignaturePreset)
    return SIGNATURE_PRESETS[known ? (preset as SignaturePreset) : 'plain'][name]
  }

const signatureMembers = {
  key: setting(secret, {
    required: true,
    doc: 'the key that signs authorisation calls, with HMAC-SHA-256',
    flag: flag(
      'webhook-key',
      'secret',
      'Key that signs authorisation calls (HMAC-SHA-256). Use - to read it from stdin and store it in the keyring.',
      'env:NAME|file:PATH|cmd:COMMAND|-',
    ),
  }),
  otherKeys: setting(list(secret), {
    default: [],
    doc: 'further keys whose signatures are valid too, while keys are changed',
    flag: flag(
      'webhook-other-key',
      'list',
      'Another key that signatures may be made with, while you change keys. Repeatable.',
      'env:NAME|file:PATH|cmd:COMMAND',
    ),
  }),
  preset: setting(oneOf(SIGNATURE_PRESET_NAMES), {
    default: 'plain',
    doc: 'the form of the signature: `plain`, or `standard-webhooks` ([Standard Webhooks](https://www.standardwebhooks.com)). In brackets: what `plain` has; the settings below say what differs',
    flag: flag('webhook-signature-preset', 'choice', 'Form of the signature (default plain).'),
  }),
  header: setting(headerName, {
    default: byPreset('header'),
    doc: `the header with the signature (\`${header}\`)`,
    flag: flag('webhook-signature-header', 'text', `Header with the signature (default ${header}).`),
  }),
  timestampHeader: setting(headerName, {
    default: byPreset('timestampHeader'),
    doc: `the header with the time of the call, in seconds since 1970 (\`${timestampHeader}\`)`,
    flag: flag('webhook-timestamp-header', 'text', `Header with the time (default ${timestampHeader}).`),
  }),
  idHeader: setting(headerName, {
    default: byPreset('idHeader'),
    doc: `the header with the id of the message (\`${idHeader}\`)`,
    flag: flag('webhook-id-header', 'text', `Header with the id of the message (default ${idHeader}).`),
  }),
  signed: setting(
    checkedText(value => {
      const problem = signedProblem(value)
      return problem === undefined ? {value} : {problem}
    }),
    {
      default: byPreset('signed'),
      doc: `what is signed: text with \`{body}\`, and with \`{timestamp}\` and \`{id}\` if calls have a time and an id (\`${signed}\`)`,
      flag: flag('webhook-signed', 'text', `What is signed (default ${signed}).`, 'TEXT'),
    },
  ),
  encoding: setting(oneOf(['hex', 'base64']), {
    default: byPreset('encoding'),
    doc: `how the signature is written (\`${encoding}\`)`,
    flag: flag('webhook-signature-encoding', 'choice', `How the signature is written (default ${encoding}).`),
  }),
  prefix: setting(
    text(/^[\x21-\x2b\x2d-\x7e]{0,40}$/, 'must be at most 40 characters without spaces and commas'),
    {
      default: byPreset('prefix'),
      doc: 'what comes before the signature in its header, for example `sha256=`',
      flag: flag('webhook-signature-prefix', 'text', 'What comes before the signature.', 'sha256='),
    },
  ),
  keyEncoding: setting(oneOf(['text', 'base64']), {
    default: byPreset('keyEncoding'),
    doc: 'what the keys are: `text` (the default), or `base64` of 24 to 64 bytes, with or without `whsec_` before it',
    flag: flag('webhook-key-encoding', 'choice', 'What the keys are (default text).'),
  }),
  toleranceMs: setting(number('integer', 1000, 86_400_000), {
    default: toleranceMs,
    doc: 'how far the time of a call may differ from now, in milliseconds',
    flag: flag(
      'webhook-tolerance',
      'duration',
      'How far the time of a call may differ from now (default 5m).',
    ),
  }),
}

const tlsMembers = {
  ca: setting(path, {
    doc: 'certificate authorities to trust at the endpoint, a PEM file',
    flag: flag('webhook-ca', 'text', 'Certificate authorities to trust at the endpoint, PEM.', 'FILE'),
  }),
  cert: setting(path, {
    doc: 'the client certificate of authorisation calls (mTLS), a PEM file',
    flag: flag('webhook-cert', 'text', 'Client certificate of authorisation calls, PEM.', 'FILE'),
  }),
  key: setting(secret, {
    doc: 'the private key of that certificate',
    flag: flag(
      'webhook-cert-key',
      'secret',
      'Private key of that certificate.',
      'env:NAME|file:PATH|cmd:COMMAND',
    ),
  }),
}

const webhookMembers = {
  auth: setting(
    object(authMembers, (auth, at) => {
      const {type = 'basic'} = auth
      const needed = type === 'basic' ? 'user' : type === 'header' ? 'name' : undefined
      if (needed !== undefined && !Object.hasOwn(auth, needed)) at.inside(needed).report('is missing')
      for (const other of ['user', 'name']) {
        if (other !== needed && Object.hasOwn(auth, other))
          at.inside(other).report(`belongs to another type than ${String(type)}`)
      }
    }),
    {doc: 'the credential of authorisation calls'},
  ),
  signature: setting(object(signatureMembers), {doc: 'how authorisation calls are signed'}),
  tls: setting(object(tlsMembers, checkCertificatePair), {
    default: {},
    doc: 'certificates of authorisation calls',
  }),
  hosts: setting(list(checkedText(checkHostName)), {
    default: [],
    doc: 'hosts that may get these credentials, besides this machine',
    flag: flag(
      'webhook-host',
      'list',
      'Host that may get the credentials of authorisation calls, besides this machine. Repeatable.',
    ),
  }),
}

/** How authorisation calls prove who sends them, in both directions: calls that cardctl sends, and that it receives. */
export const webhookSetting = setting(object(webhookMembers), {
  guarded: 'always',
  doc: 'how authorisation calls are authenticated ([Credentials and signatures](webhooks.md#credentials))',
})

/** The credentials of authorisation calls as stored: references in place of secrets. */
export type StoredWebhook = Read<typeof webhookMembers>
