import {describe, expect, it} from 'vitest'
import {type Cause, causes, endBy} from '../helpers/run-endings.ts'
import {reply} from '../helpers/service.ts'

interface Blamed {
  readonly of: Cause | string
  readonly few: number
  readonly many: number
  /** Both runs print these. */
  readonly says: readonly (string | RegExp)[]
  /** The long run says why it stops. */
  readonly stops: string
  readonly never?: RegExp
}

const blamed: Readonly<Record<string, Blamed>> = {
  'a token endpoint that responds with 503': {
    of: {hasNoTokens: 503},
    few: 9,
    many: 13,
    says: [
      'CONNECTION_FAILED (HTTP 503)',
      'Next, when the token endpoint gives a token: cardctl bulk resume j_',
    ],
    stops: 'The token endpoint gives no token',
    never: /SERVICE_FAULT|The service is down/,
  },
  'a host name that nobody knows': {
    of: 'The name of the service is not known (DNS)',
    few: 9,
    many: 13,
    says: ['profiles edit other --base-url URL', 'Next, when the host name is known again: '],
    stops: 'The host name of the service is not known',
    never: /can be reached/,
  },
  'a redirect': {
    of: 'A redirect to another page',
    few: 11,
    many: 13,
    says: [
      'cardctl doctor -p other',
      'cardctl requests rebind -p other',
      'Next, when nothing redirects the requests any more: ',
    ],
    stops: 'Something redirects the requests',
    never: /service is (?:down|up)/,
  },
  'a credential that is refused now and then': {
    of: {
      secret: 'env:TOKEN_SECRET',
      answer: row =>
        row === 1 ? reply(401, {}) : reply(200, {id: String(9000 + row), description: 'Updated'}),
    },
    few: 11,
    many: 11,
    says: ['The credential comes from the variable TOKEN_SECRET.'],
    stops: 'PARTLY_DONE',
  },
  'an error inside a success': {
    of: 'A success with an error inside',
    few: 11,
    many: 10,
    says: [
      'Ask the people of the service what the error means',
      'requests resolve ID --found effect',
      'Next, when the people of the service have put the error right: cardctl bulk resume j_',
      'status ERROR, code E1',
    ],
    stops: 'ended alike',
    never: /service is (?:down|up)|login page/,
  },
  'a proxy that does not accept the password': {
    of: 'A proxy refuses the password',
    few: 9,
    many: 13,
    says: ['does not accept the user and password that its URL has (407)', 'Next, when the proxy accepts '],
    stops: 'The proxy does not accept the user and password',
    never: /requires a user|write USER|wrong/,
  },
  'a certificate for another host name': {
    of: 'The certificate is for another host name',
    few: 9,
    many: 13,
    says: [
      'another host name, it has localhost, 127.0.0.1, service.test (ERR_TLS',
      'Another CA does not help.',
      'run the first command again, because what was begun belongs to the other name',
      'Next, when the service has a certificate for the host name of the profile: cardctl bulk resume j_',
    ],
    stops: 'The certificate that the service shows is for another host name',
    never: /CARDCTL_CA|has a CA/,
  },
}

describe('the end of a run blames the right one', () => {
  it.each(Object.entries(blamed))('%s', {timeout: 60_000}, async (_, {of, few, many, says, stops, never}) => {
    const cause = typeof of === 'string' ? (causes[of] ?? {}) : of
    for (const [rows, exit] of [
      [3, few],
      [40, many],
    ] as const) {
      const {code, stderr} = await endBy(cause, rows)
      expect([rows, code], stderr).toEqual([rows, exit])
      for (const text of says)
        expect(stderr)[typeof text === 'string' ? 'toContain' : 'toMatch'](text as string)
      if (rows === 40) expect(stderr).toContain(stops)
      if (never) expect(stderr).not.toMatch(never)
    }
  })
})
