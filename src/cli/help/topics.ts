import {errorRegistry, exitOf} from '../../errors/registry.ts'
import {flagMeaning, flagName, type ManifestFlag, readManifest} from './manifest.ts'

export interface HelpTopic {
  readonly summary: string
  text(): string
}

const text = (summary: string, body: string): HelpTopic => ({summary, text: () => body.trim()})

/** The texts of `help TOPIC`, which belong to no single command. */
export const helpTopics: Readonly<Record<string, HelpTopic>> = {
  flags: {summary: 'Flags of every command, and of every request', text: flagsText},
  environment: text(
    'Environment variables',
    `
A flag wins over an environment variable, a variable over the profile, the profile over the default.
Run "cardctl whoami" to see which one won.

  CARDCTL_PROFILE      Profile to use
  CARDCTL_BASE_URL     Base URL of the service; overrides the profile
  CARDCTL_AUDIT_USER   Person that the service logs for each request
  CARDCTL_TOKEN        Bearer token. Prefer a profile: other processes may read the environment
  CARDCTL_KIND, CARDCTL_READ_ONLY, CARDCTL_AUTH, CARDCTL_USER, CARDCTL_SECRET, CARDCTL_CA, CARDCTL_CERT, ...
                       Each flag of "profiles add" is a variable: --read-only is CARDCTL_READ_ONLY
  CARDCTL_OUTPUT       Format of the result, as with --output
  CARDCTL_TIMEOUT      Time limit for a response, as with --timeout
  CARDCTL_RETRIES      How often to send again, as with --retries
  CARDCTL_YES          1 is --yes, and confirms no more than that
  CARDCTL_QUIET        1 is --quiet; CARDCTL_NO_HEADER and CARDCTL_CSV_SAFE are flags too
  CARDCTL_CONFIG_DIR   Folder of the profiles
  CARDCTL_DATA_DIR     Folder of the journal, the audit trail and the embedded sandbox
  CARDCTL_CACHE_DIR    Folder of files that may be deleted at any time
  CARDCTL_KEEP         How long to keep finished requests and bulk jobs, for example 30d (default 90d);
                       "off" keeps them until you prune them
  CARDCTL_PAGER        Pager for long output (default PAGER, then less); "cat" for none
  CARDCTL_AGENT        Name of the agent that runs the command
  CARDCTL_NO_INPUT     If set, never ask
  CARDCTL_LOG_FORMAT   json writes each line of stderr as JSON
  TRACEPARENT, TRACESTATE
                       Trace that requests carry on (W3C Trace Context)
  CARDCTL_ACCESSIBLE   1 for screen readers: plain lines and plain questions, nothing is redrawn
  CARDCTL_ASCII        1 to draw lines, bars and signs in ASCII
  CARDCTL_STRICT       1 is --strict; 0 turns off the strict setting of the profile
  CARDCTL_DEBUG        If set, same as --debug

  NO_COLOR, FORCE_COLOR, CLICOLOR, TERM, CI      Colours and prompts
  HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY   Proxies
  NODE_EXTRA_CA_CERTS                            Certificate authorities to trust besides the system's
`,
  ),
  formatting: text(
    'Output formats, columns and queries',
    `
Results go to stdout, everything else to stderr.

  -o table    For people (the default)
  -o json     One JSON document; --json is the same
  -o ndjson   One JSON document per line; lists stream
  -o csv      RFC 4180. --columns selects and orders columns, --no-header omits the header,
              --csv-safe quotes values that a spreadsheet would run as formulas
  -o yaml     YAML 1.2

  --query     JMESPath expression over the result: --query "[?status=='CARD_OK'].id"
  --columns   Field names separated by commas, nested ones with dots: --columns id,embossing.lastName

Amounts are never rounded. Control characters in text from the service are shown escaped.
`,
  ),
  'exit-codes': {
    summary: 'Exit codes and their meaning',
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
  idempotency: {
    summary: 'Idempotency keys, retries and requests with an unknown effect',
    text: () =>
      `
Every write by POST or PATCH carries an idempotency key in x-idempotency-key: a new one, or the one that
you pass with --idempotency-key. If your service takes it in another header, name that in the profile
(--idempotency-header).

  If the service honours the key, cardctl retries a write that got no response, with the same key and
  the same bytes. For 24 hours the service answers such a repeat with its stored response and has no
  second effect. The eight account operations honour keys; a profile may say that all operations do.

  Otherwise cardctl retries a write only if none of it was sent. If it was sent and no response came,
  the command ends with exit code ${exitOf('EFFECT_UNKNOWN')} and the id of the request. Find out what happened before you
  repeat it: cardctl requests resolve ID

The journal holds every write before it is sent, and its outcome: cardctl requests list
cardctl refuses to send a request with a key that was used for a different request.
`.trim(),
  },
  'sensitive-data': text(
    'Card numbers, PINs, keys and tokens',
    `
  No flag takes a secret, because other processes can read the command line. cardctl reads secrets at a
  hidden prompt, from stdin or a file, or through a reference (env:NAME, file:PATH, cmd:COMMAND, or the
  system's keyring).

  If you typed a secret on the command line, it is in the history of your shell. Change the secret if it
  is real, and remove the line:
    bash         history -d -2 removes the line before; then history -w
    zsh          Delete the line from the file in $HISTFILE, then run fc -R
    fish         history delete --contains "cardctl pin"
    PowerShell   Delete the line from the file in (Get-PSReadLineOption).HistorySavePath

  Output is masked: a card number shows its first six and last four digits, a CVV2 or PIN nothing.
  Card numbers that the service has masked are shown as received, for example with eight and four digits.
  --reveal shows the values after a question. In a pipe it needs --yes.

  On a live profile cardctl creates no key pair and never handles a PIN. The cardholder's device does
  both; pin view, pin tzpk and pin set pass on what it sends (--public-key, --pin-block-stdin).
`,
  ),
}

const GROUPS = [
  ['GLOBAL', 'On every command:'],
  ['REQUEST', 'On commands that send a request:'],
  ['BODY', 'On commands whose request has a body, or that change something:'],
] as const

/** The flags that commands share; their own help names them in one line. */
function flagsText(): string {
  const all = Object.values(readManifest().commands).flatMap(({flags}) => Object.values(flags))
  const byName = new Map<string, ManifestFlag>()
  for (const flag of all) if (!byName.has(flag.name)) byName.set(flag.name, flag)
  return GROUPS.map(([group, title]) => {
    const flags = [...byName.values()].filter(({helpGroup}) => helpGroup === group)
    const lines = flags.map(
      flag => `  ${flag.char ? '' : '    '}${flagName(flag)}\n        ${flagMeaning(flag)}`,
    )
    return [title, ...lines].join('\n')
  }).join('\n\n')
}
