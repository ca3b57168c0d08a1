import {shellQuoted} from '../errors/suggested-command.ts'
import type {Preview} from '../http/send-types.ts'
import type {Chosen} from '../profiles/index.ts'
import {Secret} from '../sensitive/secret.ts'
import type {Context} from './context.ts'

interface CurlOptions {
  readonly tls?: CurlTls | undefined
}

/** Paths of the profile's PEM files. */
interface CurlTls {
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  /** Without it a variable replaces the path of the certificate's key: curl reads a key only from a file. */
  readonly key?: string | undefined
}

/** A shell variable to set before running the line, and what it is for. */
interface CurlVariable {
  readonly name: string
  /** The header whose value it is. */
  readonly header?: string
  /** The field of the body whose value it is. */
  readonly member?: string
  /** A file with the key of the client certificate. */
  readonly isKeyFile?: true
}

interface Curl {
  readonly line: string
  readonly variables: readonly CurlVariable[]
}

/**
 * The request as a command for a POSIX shell. Everything is in single quotes except the variables that replace secrets.
 */
export function asCurl({method, url, headers, body}: Preview, {tls}: CurlOptions = {}): Curl {
  const variables = new Variables()
  const words = ['curl', '--request', method, '--globoff']
  if (tls?.ca !== undefined) words.push('--cacert', shellQuoted(tls.ca))
  if (tls?.cert !== undefined) {
    const key =
      tls.key === undefined ? variables.of('CLIENT_KEY_FILE', {isKeyFile: true}) : shellQuoted(tls.key)
    words.push('--cert', shellQuoted(tls.cert), '--key', key)
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'accept-encoding') words.push('--compressed')
    else if (value instanceof Secret) {
      words.push('--header', shellQuoted(`${name}: `) + variables.of(name, {header: name}))
    } else words.push('--header', shellQuoted(`${name}: ${value}`))
  }
  if (body !== undefined) words.push('--data', quotedBody(body, variables))
  return {line: [...words, shellQuoted(url)].join(' '), variables: variables.all}
}

/** Variables that shells and curl use themselves. */
const TAKEN =
  /^(?:_|PATH|HOME|IFS|PWD|OLDPWD|ENV|SHELL|USER|LANG|TERM|PS\d|UID|EUID|PPID|RANDOM|SECONDS|.*_PROXY|(?:BASH|LC|LD|CURL|SSL)_.*)$/

class Variables {
  readonly #all: CurlVariable[] = []

  get all(): readonly CurlVariable[] {
    return this.#all
  }

  /** A variable for one secret, in double quotes. Another secret of the same name gets another variable. */
  of(name: string, what: Omit<CurlVariable, 'name'>): string {
    const wanted = variableName(name)
    let found = wanted
    for (let count = 2; this.#all.some(one => one.name === found); count++) found = `${wanted}_${count}`
    this.#all.push({name: found, ...what})
    return `"$${found}"`
  }
}

/** `authorization` → `AUTHORIZATION`, `pinBlock` → `PIN_BLOCK`: the variables to set before running the line. */
function variableName(name: string): string {
  const upper = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '_')
  const safe = /^[A-Z_]/.test(upper) ? upper : `_${upper}`
  return TAKEN.test(safe) ? `${safe}_VALUE` : safe
}

/** JSON in single quotes, interrupted by the variable of each secret field. */
function quotedBody(body: unknown, variables: Variables): string {
  return [...pieces(body, 'body', variables)]
    .reduce<Piece[]>((joined, piece) => {
      const last = joined.at(-1)
      if (last?.text === undefined || piece.text === undefined) joined.push(piece)
      else joined.splice(-1, 1, {text: last.text + piece.text})
      return joined
    }, [])
    .map(({text, secret}) => (text === undefined ? secret : shellQuoted(text)))
    .join('')
}

type Piece =
  | {readonly text: string; readonly secret?: never}
  | {readonly text?: never; readonly secret: string}

function* pieces(value: unknown, name: string, variables: Variables): Generator<Piece> {
  if (value instanceof Secret) {
    yield {text: '"'}
    yield {secret: variables.of(name, {member: name})}
    yield {text: '"'}
  } else if (Array.isArray(value)) {
    yield* list('[]', value, item => pieces(item, name, variables))
  } else if (typeof value === 'object' && value !== null) {
    yield* list(
      '{}',
      Object.entries(value).filter(([, item]) => item !== undefined),
      function* ([key, item]) {
        yield {text: `${JSON.stringify(key)}:`}
        yield* pieces(item, key, variables)
      },
    )
  } else {
    yield {text: JSON.stringify(value) ?? 'null'}
  }
}

function* list<T>(
  brackets: string,
  items: readonly T[],
  each: (item: T) => Iterable<Piece>,
): Generator<Piece> {
  yield {text: brackets.charAt(0)}
  for (const [at, item] of items.entries()) {
    if (at > 0) yield {text: ','}
    yield* each(item)
  }
  yield {text: brackets.charAt(1)}
}

/** Prints requests without sending them: as JSON documents for people, otherwise in the chosen format. */
export async function printDryRun(context: Context, previews: readonly Preview[]): Promise<void> {
  const {printer, flags, surroundings} = context
  const [only] = previews
  const {format} = context.outputOptions
  if (format === 'table' && flags.query === undefined && flags.columns === undefined) {
    const indent = surroundings.stdout.isTTY ? 2 : 0
    for (const preview of previews) await printer.text(JSON.stringify(preview, null, indent))
  } else if (previews.length === 1) await printer.data(only)
  else await printer.list(previews)
}

/** Prints them as curl commands, and says on stderr which variables to set first. */
export async function printCurl(context: Context, previews: readonly Preview[]): Promise<void> {
  const chosen = await context.service.chosen()
  const {printer} = context
  if (chosen.embedded) {
    printer.note('The embedded sandbox has no address; cardctl sandbox serve gives it one.')
  }
  const curls = previews.map(preview => asCurl(preview, {tls: tlsOf(chosen)}))
  await printer.text(curls.map(({line}) => line).join('\n'))
  const variables = new Map(curls.flatMap(({variables}) => variables).map(one => [one.name, one]))
  for (const variable of variables.values()) {
    printer.note(`Before you run it, set ${variable.name} to ${standsFor(variable, chosen)}.`)
  }
}

function tlsOf({profile: {tls}}: Chosen): CurlTls {
  return {ca: tls.ca, cert: tls.cert, key: tls.key?.source === 'file' ? tls.key.locator : undefined}
}

function standsFor({header, member, isKeyFile}: CurlVariable, chosen: Chosen): string {
  if (isKeyFile) return "the path of a file with the client certificate's private key, PEM"
  if (header !== undefined) return credentialWords(header, chosen)
  return `the value of ${member}, escaped for JSON text`
}

/** What the profile's authentication sends in its header. */
function credentialWords(header: string, {name, profile: {auth}, token}: Chosen): string {
  if (token !== undefined) return '"Bearer " and the token in CARDCTL_TOKEN'
  switch (auth.type) {
    case 'basic':
      return `"Basic " and the base64 of ${auth.user}:PASSWORD, with the password of the profile ${name}${placeOf(auth.password)}`
    case 'bearer':
      return `"Bearer " and the token of the profile ${name}${placeOf(auth.token)}`
    case 'oauth2':
      return `"Bearer " and an access token from ${auth.tokenUrl} for the client ${auth.clientId}`
    case 'header':
      return `the value of the header ${auth.name} of the profile ${name}${placeOf(auth.value)}`
    case 'none':
      return `the value of the header ${header}`
  }
}

function placeOf({source, locator}: {readonly source: string; readonly locator: string}): string {
  return source === 'keyring' || source === 'secretfile' ? '' : `, from ${source}:${locator}`
}
