import {errorRegistry} from '../errors/registry.ts'

export interface HelpTopic {
  readonly summary: string
  text(): string
}

const text = (summary: string, body: string): HelpTopic => ({summary, text: () => body.trim()})

/** What `help TOPIC` prints: things that belong to no single command. */
export const helpTopics: Readonly<Record<string, HelpTopic>> = {
  environment: text(
    'Variables of the environment',
    `
Each value is taken from its flag, else from the environment, else from the profile, else its default.
"cardctl whoami" says which one won.

  CARDCTL_PROFILE      the profile to use
  CARDCTL_BASE_URL     the address of the service, instead of the profile's
  CARDCTL_AUDIT_USER   who acts, as the service logs it
  CARDCTL_TOKEN        a bearer token; the last resort, since other processes may read it
  CARDCTL_CONFIG_DIR   where profiles are kept
  CARDCTL_DATA_DIR     where the journal and the embedded sandbox are kept
  CARDCTL_CACHE_DIR    what may be deleted at any time
  CARDCTL_KEEP         how long finished requests and bulk jobs are kept: 30d; else 90d; "off" until they are pruned
  CARDCTL_PAGER        the pager for long output; else PAGER; "cat" for none
  CARDCTL_NO_INPUT     set: never ask
  CARDCTL_STRICT       1: as --strict; 0: not, whatever the profile says
  CARDCTL_DEBUG        set: as --debug

  NO_COLOR, FORCE_COLOR, CLICOLOR, TERM, CI      colours and questions
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY              proxies
  NODE_EXTRA_CA_CERTS                            certificate authorities to trust besides the system's
`,
  ),
  formatting: text(
    'Output formats, columns and queries',
    `
Results go to stdout, everything else to stderr.

  -o table    for people (the default)
  -o json     one document; --json is the same
  -o ndjson   one document a line; lists stream
  -o csv      RFC 4180; --columns chooses and orders, --no-header leaves the first line out,
              --csv-safe quotes what a spreadsheet would run
  -o yaml

  --query     a JMESPath expression over the result: --query "[?status=='CARD_OK'].id"
  --columns   member names by comma, nested ones with dots: --columns id,embossing.lastName

Amounts are never rounded. Text from the service is shown with control characters escaped.
`,
  ),
  'exit-codes': {
    summary: 'What exit codes mean',
    text: () => {
      const byExit = new Map<number, string[]>([[0, ['Done']]])
      for (const [code, {exit, summary}] of Object.entries(errorRegistry)) {
        byExit.set(exit, [...(byExit.get(exit) ?? []), `${summary} (${code})`])
      }
      return [...byExit]
        .sort(([a], [b]) => a - b)
        .map(([exit, lines]) =>
          lines.map((line, at) => `${at === 0 ? String(exit).padStart(4) : '    '}  ${line}`).join('\n'),
        )
        .join('\n')
    },
  },
  idempotency: text(
    'Keys, retries and requests whose effect is unknown',
    `
Every write by POST or PATCH carries a key in x-idempotency-key: a new one, or yours with --idempotency-key.

  Where the service documents the key (the eight account operations), or the profile says it honours
  every key, a write that got no answer is sent again by itself, with the same key and the same bytes:
  the service answers the repeat from its store, for 24 hours, with no further effect.

  Elsewhere a write is sent again only if no byte of it had left. If no answer came, the run ends with
  exit code 10 and the request's id: find out what happened before you repeat it.

The journal holds every write before it leaves, and how it ended: cardctl requests list.
A key that was used with another request is refused before anything is sent.
`,
  ),
  'sensitive-data': text(
    'Card numbers, PINs, keys and tokens',
    `
  A command line is seen by every process of the machine, so none of these goes into a flag: they are
  asked for without echo, read from stdin or a file, or named by a reference
  (env:NAME, file:PATH, cmd:COMMAND, or the system's keyring).

  What comes back is masked: first six and last four digits of a card number, nothing of a CVV or PIN.
  Numbers that the service has masked itself are shown as they came, for example with eight and four.
  --reveal shows what was asked for, after a question; on a pipe only with --yes.

  On a live profile no key pair is made here and no PIN is asked for or read: the cardholder's device
  does both, and pin view, pin tzpk and pin set pass on what it sends (--public-key, --pin-block-stdin).
`,
  ),
}
