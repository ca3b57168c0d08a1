import * as Flags from '@oclif/core/flags'

/** Flags of every command that puts a server on a port. */
export const servingFlags = {
  host: Flags.string({default: '127.0.0.1', summary: 'Address to listen on.'}),
  port: Flags.integer({
    default: 0,
    min: 0,
    max: 65_535,
    summary: 'Port to listen on (default a free one).',
  }),
  auth: Flags.string({
    helpValue: 'basic:REF|bearer:REF',
    summary:
      'Require credentials. REF is env:NAME, file:PATH or cmd:COMMAND and leads to user:password or the token.',
  }),
  tls: Flags.boolean({
    summary: 'Serve https, with a certificate made for this run; the first line names its file.',
  }),
  'i-know-this-is-exposed': Flags.boolean({
    summary: 'Let other machines connect without credentials.',
  }),
}
