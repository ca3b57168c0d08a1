import {shellQuoted} from '../../errors/suggested-command.ts'
import {PLACEHOLDER, type SignatureForm} from '../../network/signature-defaults.ts'
import type {CredentialForms} from '../send/caller.ts'
import type {Forgery} from '../send/forge-credentials.ts'

/** How a line for a shell proves who sends its call. What is secret is in variables of the shell. */
export interface ShellCredentials {
  /** Lines before all calls: they name the variables. */
  readonly variables: readonly string[]
  /** Of `curl`: certificates. */
  readonly tls: readonly string[]
  /** Headers, as words of a shell in double quotes. */
  readonly headers: readonly string[]
  /** Sets the variables of a signature over the file `$F`; empty if calls have none. */
  signed(forgery: Forgery | undefined): string
}

/** Ends a line with a word of what is missing, if the variable is. */
export const shellVariable = (name: string, what: string): string => `: "\${${name}:?${what}}"`

export function shellCredentials(forms: CredentialForms, forgery: Forgery | undefined): ShellCredentials {
  const {auth, signature, hasCertificate, hasAuthorities} = forms
  const isSigned = signature !== undefined && forgery?.signature !== 'missing'
  return {
    variables: [
      ...(auth === undefined ? [] : [shellVariable(LOGINS[auth.type].name, LOGINS[auth.type].what)]),
      ...(signature ? [shellVariable('KEY', 'set it to the key of the signatures')] : []),
      ...tlsVariables(forms),
    ],
    tls: [
      ...(hasCertificate ? ['--cert "$CERT" --key "$CERT_KEY"'] : []),
      ...(hasAuthorities ? ['--cacert "$CA"'] : []),
    ],
    headers: [
      ...(auth === undefined ? [] : [loginHeader(auth)]),
      ...(isSigned ? signatureHeaders(signature) : []),
    ],
    signed: way => (isSigned ? signing(signature, way?.signature) : ''),
  }
}

/** Of the client certificate and the authorities, for curl and for a command. */
const tlsVariables = ({hasCertificate, hasAuthorities}: CredentialForms): readonly string[] => [
  ...(hasCertificate ? [shellVariable('CERT', 'set it to the file of the client certificate')] : []),
  ...(hasCertificate ? [shellVariable('CERT_KEY', 'set it to the file of its key')] : []),
  ...(hasAuthorities ? [shellVariable('CA', 'set it to the file of --ca')] : []),
]

/** The flags with which a command calls the endpoint in the same way, and the lines before it that name their variables. */
export function shellOptions(forms: CredentialForms): {
  readonly variables: readonly string[]
  readonly options: readonly string[]
} {
  const {auth, signature, hasCertificate, hasAuthorities} = forms
  return {
    variables: [
      ...(auth ? [shellVariable('AUTH', 'set it to the --auth of the credentials')] : []),
      ...(signature ? [shellVariable('SIGNATURE', 'set it to the --auth of the signature')] : []),
      ...tlsVariables(forms),
    ],
    options: [
      ...(auth ? ['--auth "$AUTH"'] : []),
      ...(signature ? ['--auth "$SIGNATURE"'] : []),
      ...(hasCertificate ? ['--cert "$CERT" --cert-key "file:$CERT_KEY"'] : []),
      ...(hasAuthorities ? ['--ca "$CA"'] : []),
    ],
  }
}

const LOGINS = {
  basic: {name: 'LOGIN', what: 'set it to user:password'},
  bearer: {name: 'TOKEN', what: 'set it to the bearer token'},
  header: {name: 'SECRET', what: 'set it to the value of the header with the secret'},
} as const

function loginHeader({type, name}: NonNullable<CredentialForms['auth']>): string {
  if (type === 'basic') return '"authorization: Basic $(printf %s "$LOGIN" | openssl base64 -A)"'
  return type === 'bearer' ? '"authorization: Bearer $TOKEN"' : `"${name ?? 'authorization'}: $SECRET"`
}

const signatureHeaders = ({header, timestampHeader, idHeader, signed, prefix}: SignatureForm) => [
  ...(signed.includes('{id}') ? [`"${idHeader.toLowerCase()}: $I"`] : []),
  ...(signed.includes('{timestamp}') ? [`"${timestampHeader.toLowerCase()}: $T"`] : []),
  `"${header.toLowerCase()}: ${prefix}$S"`,
]

/** `$S`, the signature of `$F` at the time `$T`, and `$I`, the id of its message. */
function signing(form: SignatureForm, way: Forgery['signature']): string {
  const key = way === 'wrong' ? '"$KEY"x' : '"$KEY"'
  const isText = form.keyEncoding === 'text' || way === 'wrong'
  const hmac = isText
    ? `-hmac ${key}`
    : `-mac HMAC -macopt hexkey:"$(printf %s "\${KEY#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')"`
  const written =
    form.encoding === 'hex'
      ? `openssl dgst -sha256 ${hmac} -r | cut -d' ' -f1`
      : `openssl dgst -sha256 ${hmac} -binary | openssl base64 -A`
  const cut = way === 'cut' ? ' | cut -c1-2' : ''
  const parts = form.signed.split(PLACEHOLDER).flatMap(part => partOf(part))
  return [
    'T=$(date +%s)',
    ...(form.signed.includes('{id}') ? ['I=msg_$(openssl dgst -sha256 -r <"$F" | cut -c1-32)'] : []),
    way === 'empty' ? 'S=' : `S=$({ ${parts.join('; ')}; } | ${written}${cut})`,
  ].join('; ')
}

function partOf(part: string): readonly string[] {
  if (part === '') return []
  if (part === '{body}') return ['cat "$F"']
  return [
    part === '{timestamp}'
      ? 'printf %s "$T"'
      : part === '{id}'
        ? 'printf %s "$I"'
        : `printf %s ${shellQuoted(part)}`,
  ]
}
