import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {Home} from '../helpers/cli.ts'
import {canaries} from './canaries.ts'

/** A command line that meets secrets beside the operations: what it reads, and what is typed into it. */
export interface CanaryLine {
  readonly argv: readonly string[]
  readonly stdin?: string
}

/** Everything that has to do with the service by more than one request, or keeps something of it. */
export async function otherLines(home: Home): Promise<readonly CanaryLine[]> {
  const rows = join(home.folder, 'rows.csv')
  await writeFile(rows, `id,creditLimit,note\n2001,5001,${canaries.pan}\n2001,5002,x\n`)
  const body = join(home.folder, 'body.json')
  await writeFile(body, JSON.stringify({cardNumber: canaries.pan, pinBlock: canaries.pinBlock}))
  const key = join(home.folder, 'private.pem')
  const frame = (word: string) => `-----${word} PRIVATE KEY-----`
  await writeFile(key, `${frame('BEGIN')}\n${canaries.privateKey}\n${frame('END')}\n`)
  const line = (text: string, stdin?: string): CanaryLine => ({
    argv: text.split(' '),
    ...(stdin === undefined ? {} : {stdin}),
  })
  return [
    line('pin view 3001'),
    line('pin set 3004', `${canaries.newPin}\n`),
    line('pin set 3001 --plastic 9999', `${canaries.pin}\n`),
    line('pin set --control-id none --pin-block-stdin', `${canaries.pinBlock}\n`),
    line(`pin view --control-id none --public-key ${key}`),
    line('cards payment-info 3001'),
    line(`cards payment-info 3001 --public-key ${key}`),
    line('cards get --pan-stdin', `${canaries.pan}\n`),
    line('cards get --pan-stdin --dry-run', `${canaries.pan}\n`),
    line('cards get --pan-stdin --curl', `${canaries.pan}\n`),
    line('cards get --pan-stdin', `4242 4242 4242 4243 ${canaries.pan}\n`),
    line('api GET /v4/3001 --group cards'),
    line(`api POST /v4/byCardNumber --group cards --data @${body}`),
    line(`api POST /unknown/path --group cards --data @${body}`),
    line(`api POST /unknown/path --group cards --data @${body} --dry-run`),
    line(`api POST /unknown/path --group cards --data @${body} --curl`),
    line('api POST /v3/pin --group pin --data -', `{"controlId": "x", "pinBlock": "${canaries.pinBlock}"`),
    line(`accounts patch 2001 --type credit --data @${body}`),
    line(`accounts patch 2001 --type credit -F creditLimit=5003 -f reason=card-${canaries.pan}`),
    line(`accounts patch 2001 --type credit -F pinBlock=${canaries.pinBlock}`),
    line(`bulk run accounts.patchCredit.v4 --from ${rows} --yes`),
    line(`bulk run cards.paymentInfo.v3 --from ${rows} --yes`),
    line('bulk list'),
    line('requests list --limit 100'),
    line('audit list'),
    line('audit export'),
    line('audit verify'),
    line('profiles list'),
    line('profiles show'),
    line('profiles test'),
    line('whoami'),
    line('sandbox state list card'),
    line('sandbox state show card 3001'),
    line(`profiles add other --kind test --base-url http://ops:${canaries.password}@127.0.0.1:1 --auth none`),
    line(
      `profiles add other --kind test --base-url http://127.0.0.1:1 --auth bearer --secret ${canaries.bearer}`,
    ),
    line(
      'profiles add other --kind test --base-url http://127.0.0.1:1 --auth bearer --secret -',
      `${canaries.bearer}\n${canaries.password}\n`,
    ),
    line('profiles show other'),
    line('profiles edit other --secret -', `${canaries.headerKey}\n`),
    line('profiles remove other --yes'),
    line('tour'),
  ]
}
