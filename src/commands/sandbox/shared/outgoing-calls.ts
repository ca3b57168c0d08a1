import * as Flags from '@oclif/core/flags'
import {callAuthFlag, credentialsFor} from '../../../cli/call-credentials.ts'
import {confirmHost, WITHOUT_TLS} from '../../../cli/confirm.ts'
import type {Context} from '../../../cli/context.ts'
import {durationFlag, type operationFlags, type SomeFlagValues} from '../../../cli/flags.ts'
import {refuseServiceHost} from '../../../cli/service-host.ts'
import {readAuthorityFile} from '../../../cli/serving/server-tls.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import {checkBaseUrl} from '../../../profiles/index.ts'
import type {WebhookOptions} from '../../../sandbox/index.ts'

/** Flags of commands that run a sandbox: the endpoint that answers its authorisation calls. */
export const sandboxWebhookFlags = {
  'webhook-url': Flags.string({
    helpValue: 'URL',
    summary: 'Ask the endpoint at this URL about every authorisation, for example webhook serve.',
  }),
  'webhook-auth': callAuthFlag("Credentials for the endpoint (default the profile's).", ['webhook-url']),
  'webhook-deadline': durationFlag({
    helpValue: '2s',
    summary: 'Deadline for an answer of the endpoint (default 2s).',
    dependsOn: ['webhook-url'],
  }),
  'webhook-fallback': Flags.option({
    options: ['approve', 'decline'] as const,
    summary: 'Decision if the endpoint gives no valid answer in time (default decline).',
    dependsOn: ['webhook-url'],
  })(),
  'webhook-ca': Flags.string({
    helpValue: 'FILE',
    summary: 'PEM file with the certificate authorities to trust for the endpoint.',
    dependsOn: ['webhook-url'],
  }),
  confirm: Flags.string({
    helpValue: 'HOST',
    summary: 'Confirm the host of --webhook-url by name, if it is another machine without https.',
    dependsOn: ['webhook-url'],
  }),
}

export type SandboxWebhookFlags = SomeFlagValues<
  typeof sandboxWebhookFlags & Pick<typeof operationFlags, 'dry-run' | 'curl'>
>

const LONGEST_DEADLINE = 60_000
/** Maximum time of an operation that calls the endpoint: a warm-up and a call, each until the deadline. */
export const ASKING_MS = 2 * LONGEST_DEADLINE + 30_000

/**
 * @throws Failure USAGE, INPUT_INVALID, SENSITIVE_IN_ARGV, SECRET_MISSING, none of which quotes a credential;
 * GATE_REFUSED for the host of a service; CONFIRMATION_REQUIRED or CONFIRMATION_DECLINED for another machine without TLS.
 */
export async function readSandboxWebhook(
  context: Context,
  flags: SandboxWebhookFlags,
): Promise<WebhookOptions | undefined> {
  const {'webhook-url': address, 'webhook-deadline': deadlineMs, 'webhook-fallback': fallback} = flags
  if (address === undefined) return undefined
  // Plain http to another host, for example in a container network, needs a confirmation but is allowed.
  const checked = checkBaseUrl(address, true)
  if ('problem' in checked) throw new Failure('USAGE', {message: `--webhook-url ${checked.problem}.`})
  if (deadlineMs !== undefined && (deadlineMs < 1 || deadlineMs > LONGEST_DEADLINE)) {
    throw new Failure('USAGE', {message: '--webhook-deadline takes 1ms to 60s.'})
  }
  const {'webhook-ca': caFile} = flags
  const ca =
    caFile === undefined ? undefined : await readAuthorityFile('--webhook-ca', caFile, context.surroundings)
  const url = new URL(checked.url)
  await refuseServiceHost(context, url)
  const {credentials, tls} = await credentialsFor(url, flags['webhook-auth'], context, '--webhook-auth')
  if (url.protocol === 'http:' && !flags['dry-run'] && !flags.curl) {
    await confirmHost(context, url, {confirm: flags.confirm, why: WITHOUT_TLS})
  }
  return {
    url: checked.url,
    credentials,
    ...tls,
    ...(deadlineMs === undefined ? {} : {deadlineMs}),
    ...(fallback === undefined ? {} : {fallback}),
    ...(ca === undefined ? {} : {ca}),
  }
}

/** The same for a sandbox embedded in the command. @throws Failure USAGE if the command uses a server instead. */
export async function askedByEmbedded(
  context: Context,
  flags: SandboxWebhookFlags,
): Promise<{webhook?: WebhookOptions}> {
  if (flags['webhook-url'] !== undefined && !(await context.service.target()).embedded) {
    throw new Failure('USAGE', {
      message:
        '--webhook-url is for the embedded sandbox. This profile uses a server, which asks its own endpoint.',
      hint: advice`Pass the URL of an endpoint: ${cardctl('sandbox', 'serve', '--webhook-url', {value: 'URL'})}`,
    })
  }
  const webhook = await readSandboxWebhook(context, flags)
  return webhook ? {webhook} : {}
}
