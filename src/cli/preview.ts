import type {Preview} from '../http/send-types.ts'
import type {Chosen} from '../profiles/index.ts'
import type {Context} from './context.ts'
import {asCurl, type CurlTls, type CurlVariable} from './curl.ts'

/** Prints requests that would be sent: as JSON documents for people, else in the format that was asked for. */
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

/** Prints them as curl commands, and says on stderr what has to be set before they are run. */
export async function printCurl(context: Context, previews: readonly Preview[]): Promise<void> {
  const chosen = await context.chosen()
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

/** What the profile's authentication puts into its header. */
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
