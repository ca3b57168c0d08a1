import * as Flags from '@oclif/core/flags'
import {callAuthFlag} from '../../../cli/call-credentials.ts'
import {durationFlag, type FlagValues} from '../../../cli/flags.ts'
import {certificateFlags, servingFlags} from '../../../cli/serving/serving-flags.ts'
import {dialectFlag} from './dialect.ts'
import {recorderFlags} from './recording.ts'

export type WebhookServerFlags = FlagValues<typeof webhookServerFlags>

export const webhookServerFlags = {
  ...servingFlags,
  auth: callAuthFlag("Require credentials of every call (default the profile's)."),
  dialect: dialectFlag('the service'),
  'path-prefix': Flags.string({helpValue: '/hooks', summary: 'Path prefix of /auth and /warm-up.'}),
  deadline: durationFlag({
    default: 2000,
    helpValue: '2s',
    summary: 'Maximum time to answer a call (default 2s).',
  }),
  ...certificateFlags,
  approve: Flags.boolean({
    summary: 'Approve everything (default).',
    exclusive: ['decline', 'exec', 'forward-to', 'ask'],
  }),
  decline: Flags.string({
    helpValue: 'CODE',
    summary: 'Decline calls with this response code, for example 51 or NOT_SUFFICIENT_FUNDS.',
    exclusive: ['approve', 'exec', 'forward-to', 'ask'],
  }),
  rules: Flags.string({
    helpValue: 'FILE',
    summary: 'Decide by the rules in this file first, YAML or JSON. Reloads the file when it changes.',
  }),
  exec: Flags.string({
    helpValue: 'COMMAND',
    summary:
      'Let this shell command decide. It reads the call from stdin and writes approve, decline CODE or JSON to stdout.',
    exclusive: ['approve', 'decline', 'forward-to', 'ask'],
  }),
  'exec-mode': Flags.option({
    options: ['per-call', 'long-running'] as const,
    summary:
      'per-call: start the command for each call (default). long-running: start it once; it reads a call per line from stdin and writes an answer per line, as JSON with the id of the call.',
    dependsOn: ['exec'],
  })(),
  'forward-to': Flags.string({
    helpValue: 'URL',
    summary: 'Let the endpoint at this URL decide.',
    exclusive: ['approve', 'decline', 'exec', 'ask'],
  }),
  'forward-ca': Flags.string({
    helpValue: 'FILE',
    summary: 'Certificate authorities to trust for --forward-to, PEM.',
    dependsOn: ['forward-to'],
  }),
  'forward-auth': callAuthFlag('Send these credentials to --forward-to, in place of those of the call.', [
    'forward-to',
  ]),
  'forward-header': Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    helpValue: 'name:value',
    summary: 'Additional header for --forward-to, not a secret one; repeatable.',
    dependsOn: ['forward-to'],
  }),
  'forward-cert': Flags.string({
    helpValue: 'FILE',
    summary: 'Client certificate for --forward-to, PEM.',
    dependsOn: ['forward-to', 'forward-cert-key'],
  }),
  'forward-cert-key': Flags.string({
    helpValue: 'env:NAME|file:PATH|cmd:COMMAND',
    summary: 'Private key of that certificate.',
    dependsOn: ['forward-cert'],
  }),
  confirm: Flags.string({
    helpValue: 'HOST',
    summary: 'Confirm the host of --forward-to by name, if it is another machine without https.',
    dependsOn: ['forward-to'],
  }),
  ask: Flags.boolean({
    summary: 'Decide each call yourself, with a key. For more time, pass --deadline 30s.',
    exclusive: ['approve', 'decline', 'exec', 'forward-to'],
  }),
  ...recorderFlags,
  'repeat-memory': Flags.boolean({
    default: true,
    allowNo: true,
    summary:
      'Give the same call with the same metadata.id the same answer (default). With --no-repeat-memory each call is decided again, to test the endpoint or rules that decide.',
  }),
  strict: Flags.boolean({
    allowNo: true,
    summary:
      'Refuse calls that differ from the contract with 400, to test the sender. By default they are accepted and the differences shown.',
  }),
  inspect: Flags.boolean({
    exclusive: ['client-ca'],
    summary: 'Show the calls on a page for browsers on this machine. Prints its link at the start.',
  }),
}
