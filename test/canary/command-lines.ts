import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {openRecorder} from '../../src/webhook/index.ts'
import {callOf} from '../webhook/calls.ts'
import {exchangeOf} from '../webhook/recordings.ts'
import {canaries} from './canaries.ts'
import type {CanaryHome} from './canary-home.ts'

/** A command line that meets secrets beside the operations: what it reads, and what is typed into it. */
export interface CanaryLine {
  readonly argv: readonly string[]
  readonly stdin?: string
}

/** Everything that has to do with the service by more than one request, or keeps something of it. */
export async function otherLines(home: CanaryHome): Promise<readonly CanaryLine[]> {
  const {request, job, call, exported} = await traces(home)
  const rows = join(home.folder, 'rows.csv')
  await writeFile(rows, `id,creditLimit,note\n2001,5001,${canaries.pan}\n2001,5002,x\n`)
  const body = join(home.folder, 'body.json')
  await writeFile(body, JSON.stringify({cardNumber: canaries.pan, pinBlock: canaries.pinBlock}))
  const key = join(home.folder, 'private.pem')
  const frame = (word: string) => `-----${word} PRIVATE KEY-----`
  await writeFile(key, `${frame('BEGIN')}\n${canaries.privateKey}\n${frame('END')}\n`)
  const rules = join(home.folder, 'rules.yaml')
  await writeFile(rules, `rules:\n  - name: card ${canaries.pan}\n    then: {decline: "51"}\n`)
  const suite = [
    `  - {name: card ${canaries.pan}, send: atm, set: {merchantData.name: "${canaries.pan}"}, expect: declined 51}`,
    `  - {name: again, raw: "${canaries.pan}", expect: {query: "x == '${canaries.pan}'"}}`,
  ]
  await writeFile(join(home.folder, 'suite.yaml'), `steps:\n${suite.join('\n')}\n`)
  const rates = join(home.folder, 'rates.json')
  const get = {operationId: 'getRate', tags: ['rates'], responses: {200: {description: 'The rate'}}}
  const info = {title: 'Rates', version: '1'}
  await writeFile(rates, JSON.stringify({openapi: '3.1.0', info, paths: {'/v1/rates': {get}}}))
  const database = join(home.folder, 'database-url')
  await writeFile(database, `postgres://app:${canaries.password}@127.0.0.1:1/sandbox`, {mode: 0o600})
  const line = (text: string, stdin?: string): CanaryLine => ({
    argv: text.split(' '),
    ...(stdin === undefined ? {} : {stdin}),
  })
  return [
    line('pin view 3001'),
    line('pin set 3004', `${canaries.newPin}\n`),
    line('pin set 3001 --plastic 9999', `${canaries.pin}\n`),
    line('pin set --control-id env:HOME --pin-block-stdin', `${canaries.pinBlock}\n`),
    line(`pin view --control-id env:HOME --public-key ${key}`),
    line('pin unblock 3004', `${canaries.newPin}\n`),
    line('accounts block 2001 --type credit'),
    line('accounts unblock 2001 --type credit'),
    line('accounts limit 2001 5000.00 --type credit'),
    line('accounts close 2001 --type credit --confirm ACCOUNT_TO_CLOSE'),
    line('cards payment-info 3001'),
    line(`cards payment-info 3001 --public-key ${key}`),
    line('find 3001'),
    line('find --card-number', `${canaries.pan}\n`),
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
    line('a2a plan --transfer 2006:2007:1:EUR --out nowhere/at.plan'),
    line('bulk list'),
    line('bulk prune --yes --older-than 3650d'),
    line(`bulk status ${job}`),
    line(`bulk results ${job}`),
    line(`bulk resume ${job} --clock-is-right`),
    line(`bulk cancel ${job} --yes`),
    line(`bulk export ${job} --to ${join(home.folder, `${Date.now()}.ndjson`)}`),
    line(`bulk import ${exported}`),
    line(`requests undo ${request} --yes`),
    line(`requests show ${request}`),
    line(`requests retry ${request} --yes --clock-is-right`),
    line(`requests resolve ${request}`),
    line('requests pace --clear'),
    line('requests prune --yes --older-than 3650d'),
    line('accounts patch 2001 --type credit -F creditLimit=5003 --propose'),
    line(`accounts patch 2001 --type credit --data @${body} --propose`),
    line('requests proposals --all'),
    line('requests approve p_0123456789abcdef'),
    line('requests reject p_0123456789abcdef'),
    line('requests rebind --confirm 127.0.0.1'),
    line('a2a status 8001'),
    line('a2a watch 8001 --within 1s'),
    line('requests list --limit 100'),
    line('remotecheckout traces --ended'),
    line('audit list'),
    line('history card 3001'),
    line(`bulk watch ${job}`),
    line('bulk work last'),
    line('bulk resolve sj_1 --row 1 --found effect --because there --yes'),
    line('bulk list --shared'),
    line('report shift --since 8h'),
    line('report batch 8001'),
    line('completion bash'),
    line('completion install bash --yes'),
    line('completion uninstall bash --yes'),
    line('history account 2001'),
    line('audit export'),
    line('data erase --card 3001 --local --dry-run'),
    line('data remove --all --dry-run'),
    line(`data export ${join(home.folder, 'data.age')}`, `${canaries.password}\n`),
    line(`data import ${join(home.folder, 'data.age')}`, `${canaries.password}\n`),
    line('audit export --syslog --after 0'),
    line('audit verify'),
    line('audit anchor'),
    line('audit key'),
    line('audit anchor'),
    line('data where'),
    line('schema cards get'),
    line('audit prune --yes --older-than 3650d --export none.ndjson'),
    line(`audit begin --yes --export ${join(home.folder, 'old.ndjson')}`),
    line('help cards'),
    line('help nothing-of-that-name'),
    line('profiles list'),
    line('a2a create --from examples/transfers.csv --save-mapping acme --dry-run -p bearer'),
    line('mappings list'),
    line('mappings remove acme'),
    line('profiles show'),
    line('profiles test bearer'),
    line('whoami'),
    line('upgrade'),
    line(`contract import ${rates} --name rates -p bearer`),
    line('contract list -p bearer'),
    line('contract map rates -p bearer --dry-run'),
    line('x rates get-rate -p bearer'),
    line('contract remove rates --yes -p bearer'),
    line('contract show cards.get.v4'),
    line('contract export'),
    line('contract check --card 3001 --customer 1001'),
    line('contract diff src/contract/openapi.gen.yaml'),
    line('doctor'),
    line('doctor --fix -p bearer'),
    line('accounts patch 2001 --type credit -F creditLimit=5004 -p sandbox'),
    line('sandbox state list card'),
    line('sandbox state show card 3001'),
    line('sandbox snapshot save kept -p sandbox'),
    line('sandbox snapshot list'),
    line('sandbox snapshot load kept --yes -p sandbox'),
    line(`sandbox snapshot fork kept --data ${join(home.folder, 'forked')}`),
    line('sandbox snapshot remove kept --yes'),
    ...['store migrate', 'store check', 'store size', 'tenants list'].map(words =>
      line(`sandbox ${words} --store file:${database}`),
    ),
    ...['add', 'show', 'reset', 'remove'].map(verb =>
      line(`sandbox tenants ${verb} team --store file:${database}`),
    ),
    ...['add', 'rotate', 'remove'].map(verb =>
      line(`sandbox tokens ${verb} team person --store file:${database}`),
    ),
    line(`sandbox tokens list team --store file:${database}`),
    line(`sandbox tenants set team --max-rows 1000 --store file:${database}`),
    line(`profiles add other --kind test --base-url http://ops:${canaries.password}@127.0.0.1:1 --auth none`),
    line(
      `profiles add other --kind test --base-url http://127.0.0.1:1 --auth bearer --secret ${canaries.bearer}`,
    ),
    line(
      'profiles add other --kind test --base-url http://127.0.0.1:1 --auth bearer --secret -',
      `${canaries.bearer}\n${canaries.password}\n`,
    ),
    line(
      'profiles add other --kind test --base-url http://127.0.0.1:1 --auth bearer --secret -',
      `${canaries.bearer}\n`,
    ),
    line('profiles show other'),
    line('profiles edit other --secret -', `${canaries.headerKey}\n`),
    line('profiles remove other --yes'),
    line('profiles use bearer'),
    ...webhookLines(home, call).map(text => line(text)),
    line(
      'webhook trigger auth --scenario chip --data -',
      JSON.stringify({...callOf('chip', 'x'), pan: canaries.pan}),
    ),
    line('tour'),
  ]
}

/** What is there to look back at: a request, a job, and a recorded call with a card number in it. */
async function traces(
  home: CanaryHome,
): Promise<{request: string; job: string; call: string; exported: string}> {
  await home.run(['accounts', 'patch', '2001', '--type', 'credit', '-F', 'creditLimit=5001'])
  const rows = join(home.folder, 'rows.csv')
  await writeFile(rows, 'id,creditLimit\n2001,5001\n2001,5002\n')
  await home.run(['bulk', 'run', 'accounts.patchCredit.v4', '--from', rows, '--yes'])
  const [{id: request} = {id: ''}] = await home.json<{id: string}[]>(['requests', 'list', '--limit', '1'])
  const [{job} = {job: ''}] = await home.json<{job: string}[]>(['bulk', 'list'])
  const exported = join(home.folder, `job-${Date.now()}.ndjson`)
  await home.run(['bulk', 'export', job, '--to', exported])
  const recorder = openRecorder({
    file: join(home.folder, '.local/share/cardctl/webhook/events.db'),
    durability: 'process',
    keepMs: 1e12,
    now: Date.now,
    onTrouble: trouble => {
      throw new Error(JSON.stringify(trouble))
    },
  })
  const exchange = exchangeOf(1)
  await recorder.record({...exchange, request: {...exchange.request, body: callOf('chip', 'call-1')}})
  await recorder.close()
  return {request, job, exported, call: exchange.event.event}
}

function webhookLines(home: CanaryHome, call: string): readonly string[] {
  const to = `--to ${home.service.url}`
  return [
    'webhook scenarios',
    `webhook trigger auth ${to}`,
    `webhook trigger warm-up ${to}`,
    `webhook trigger auth ${to} --auth bearer:env:CANARY_TOKEN --set merchantData.name=card-${canaries.pan}`,
    `webhook trigger auth ${to} --header authorization:${canaries.bearer}`,
    `webhook trigger auth ${to} --set pan=${canaries.pan}`,
    `webhook trigger auth ${to} --dry-run`,
    `webhook bench ${to} --rate 20/s --duration 100ms`,
    'webhook events list',
    `webhook events show ${call}`,
    'webhook events export',
    'webhook events prune --yes --older-than 3650d',
    `webhook replay ${call} ${to}`,
    `webhook rules check ${join(home.folder, 'rules.yaml')}`,
    'webhook contract',
    `webhook certify ${to} --calls 3`,
    'webhook test --list',
    `webhook test ${join(home.folder, 'suite.yaml')} --show`,
    `webhook test ${join(home.folder, 'suite.yaml')} ${to} ${['junit', 'tap', 'html'].map(kind => `--report ${kind}=${join(home.folder, `suite.${kind}`)}`).join(' ')} --report github`,
    `webhook test ${join(home.folder, 'suite.yaml')} ${to} -o json`,
    `webhook rules check ${join(home.folder, 'rules.yaml')} --against recording`,
  ]
}
