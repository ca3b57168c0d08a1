import {whereKeyIs} from '../../../cli/audit-trail.ts'
import type {Context} from '../../../cli/context.ts'
import {broken, doubtful, type Finding, fine, ownCertificates, type Step} from '../../../doctor/index.ts'
import {advice} from '../../../errors/advice.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {openKeyring, secretFieldOf} from '../../../profiles/index.ts'

/** An account that doesn't exist: a keyring that works says so. */
const NOBODY = 'doctor/nobody'

/** Checks of the profile, its certificates, its credential, and the keyring. */
export function profileSteps(context: Context): readonly Step[] {
  return [
    {
      id: 'profile',
      area: 'profile',
      title: 'Profile',
      whenBroken: 'the profile cannot be used',
      look: () => profile(context),
    },
    {
      id: 'certificates',
      area: 'profile',
      title: 'Own certificates',
      needs: ['profile'],
      whenBroken: 'the certificates of the profile cannot be used',
      look: () => certificates(context),
    },
    {id: 'keyring', area: 'profile', title: 'Keyring', look: () => keyring(context)},
    {
      id: 'credential',
      area: 'profile',
      title: 'Credential',
      needs: ['profile', 'certificates'],
      whenBroken: 'the credential of the profile cannot be read',
      look: () => credential(context),
    },
    {
      id: 'webhook',
      area: 'profile',
      title: 'Authorisation calls',
      needs: ['profile'],
      whenBroken: 'the credentials of authorisation calls cannot be read',
      look: () => webhookCredentials(context),
    },
  ]
}

async function webhookCredentials(context: Context): Promise<Finding> {
  const found = await context.service.webhook()
  const {webhook = 'none'} = await context.service.whoami()
  if (!found) return fine('no credentials: the profile does not say how they are authenticated')
  return fine(`${webhook}; all secrets can be read`, {facts: {credentials: webhook}})
}

async function profile(context: Context): Promise<readonly Finding[]> {
  const {name, embedded, profile: stored, auditUser, provenance} = await context.service.chosen()
  const {kind, baseUrl, readOnly, allowInsecure} = stored
  const words = [
    `${name} (${kind}${readOnly ? ', read only' : ''})`,
    embedded ? 'embedded' : baseUrl,
    `as ${auditUser}`,
    `chosen by ${provenance.profile.from}`,
  ].join(', ')
  const facts = {name, kind, embedded, baseUrl: embedded ? null : baseUrl, auditUser, readOnly}
  const isOpen = !embedded && allowInsecure && baseUrl.startsWith('http:')
  return [
    isOpen
      ? doubtful(
          words,
          'Others can read and change what goes there by http:; ask the service for an https: address.',
          {facts},
        )
      : fine(words, {facts}),
    ...(context.surroundings.env.NODE_TLS_REJECT_UNAUTHORIZED === '0'
      ? [
          doubtful(
            'NODE_TLS_REJECT_UNAUTHORIZED=0 is set; cardctl checks certificates anyway',
            advice`Unset it, and add the service's CA with: ${cardctl('profiles', 'edit', {value: 'NAME'}, '--ca', {value: 'FILE'})}`,
            {title: 'Environment'},
          ),
        ]
      : []),
  ]
}

async function certificates(context: Context): Promise<readonly Finding[]> {
  const {tls} = await context.service.target()
  const now = context.surroundings.now()
  const found = [
    ...(tls.ca === undefined ? [] : [ownCertificates('CA certificate', tls.ca, now)]),
    ...(tls.cert === undefined ? [] : [ownCertificates('client certificate', tls.cert, now)]),
  ]
  return found.length === 0 ? [fine('none: the profile brings no CA and no client certificate')] : found
}

/** The keyring must respond only if it stores a secret of ours. */
async function keyring(context: Context): Promise<Finding> {
  const {surroundings, folders} = context
  const answers = await openKeyring(surroundings)
    .then(opened => opened.get(NOBODY))
    .then(
      () => true,
      () => false,
    )
  if (answers) return fine('responds', {facts: {answers}})
  const keeps = await keptThere(context, folders.data)
  if (keeps === undefined) {
    return fine('none here: secrets are kept in files that only your user can read', {facts: {answers}})
  }
  return broken(
    'SECRET_MISSING',
    `does not respond, and keeps ${keeps}`,
    'Unlock it, or log in to the desktop.',
    {
      facts: {answers},
    },
  )
}

async function keptThere(context: Context, data: string): Promise<string | undefined> {
  const source = await context.service.chosen().then(sourceOf, () => undefined)
  if (source === 'keyring') return 'the credential of the profile'
  const place = await whereKeyIs(data).catch(() => undefined)
  return place === 'keyring' ? 'the key of the audit trail' : undefined
}

type Chosen = Awaited<ReturnType<Context['service']['chosen']>>

/** Where the credential comes from: only the kind of its reference. */
function sourceOf({profile: {auth}, token}: Chosen): string | undefined {
  if (token !== undefined) return 'CARDCTL_TOKEN'
  const member = secretFieldOf(auth.type)
  if (member === undefined) return undefined
  const reference: unknown = Object.entries(auth).find(([name]) => name === member)?.[1]
  return typeof reference === 'object' && reference !== null && 'source' in reference
    ? String(reference.source)
    : undefined
}

const PLACES: Readonly<Record<string, string>> = {
  env: 'a variable of the environment',
  file: 'a file',
  cmd: 'a command',
  keyring: 'the keyring',
  secretfile: 'the file for secrets',
  CARDCTL_TOKEN: 'CARDCTL_TOKEN',
}

async function credential(context: Context): Promise<Finding> {
  const {auth, tls} = await context.service.target()
  const source = sourceOf(await context.service.chosen())
  await tls.key?.()
  switch (auth.type) {
    case 'none':
      return fine('none: the profile sends no credential', {facts: {type: auth.type}})
    case 'basic':
      await auth.password()
      break
    case 'bearer':
      await auth.token()
      break
    case 'header':
      await auth.value()
      break
    case 'oauth2':
      await auth.clientSecret()
      break
  }
  const from = PLACES[source ?? ''] ?? 'where the profile says'
  return fine(`${auth.type}, read from ${from}`, {facts: {type: auth.type, source: source ?? null}})
}
