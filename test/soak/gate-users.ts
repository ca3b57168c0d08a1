// Sets up `gate serve` as docs/gate.md shows, with users of its own, and tries as the weaker ones to get past it. Needs root
// and a mount namespace, in which /etc and /run are copies.
import {spawn, spawnSync} from 'node:child_process'
import {chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {setTimeout as pause} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0
if (!canMount) {
  process.stdout.write('skipped: needs root and mount namespaces\n')
  process.exit(0)
}

const scene = mkdtempSync(join(tmpdir(), 'cardctl-gate-'))
chmodSync(scene, 0o755)
const PORT = 18_499
const SECRET = 'made-up-secret-of-the-service'
const USERS = ['robot', 'nightly', 'mallory', 'aino', 'bo']
const HOME = '/var/lib/cardgate'
const example = (name: string) => readFileSync(join(root, 'examples/gate', name), 'utf8')
/** The commands that the page shows, for the service of this scene. */
const [, page = ''] =
  /## Set it up.*?```\n(.*?)```/s.exec(readFileSync(join(root, 'docs/gate.md'), 'utf8')) ?? []
const commands = page.replace('https://api.example', `http://127.0.0.1:${PORT}`)
/** The folders of the callers, as the unit makes them. */
const folders = [...example('cardctl-gate.service').matchAll(/^ExecStartPre=\+\/usr\/bin\/(.*)$/gm)]
  .flatMap(([, line = '']) =>
    line.includes('robot') ? ['robot', 'aino', 'bo'].map(user => line.replaceAll('robot', user)) : line,
  )
  .join('\n')
/** Two persons, of whom one approves what can't be undone. */
const PERSONS = `    person:
      read: allow
      write: allow
      destroy: {approvedBy: [bo]}
      sums: {EUR: {request: 10000, day: 50000}}
    agent:`
writeFileSync(
  join(scene, 'policy.yaml'),
  `${example('policy.yaml').replace('api.example', `'127.0.0.1:${PORT}'`).replace('    agent:', PERSONS)}    - {user: aino, kind: person, profile: prod}
    - {user: bo, kind: person, profile: prod}
`,
)
writeFileSync(join(scene, 'commands'), commands)
writeFileSync(join(scene, 'cardctl-gate.service'), example('cardctl-gate.service'))
writeFileSync(
  join(scene, 'cardctl'),
  `#!/bin/bash\nexec ${process.execPath} ${join(root, 'bin/run.js')} "$@"\n`,
  {mode: 0o755},
)

// What the page's commands need of the system is done here: sudo by setpriv, and systemd as the unit says.
const SETUP = `set -e
cd ${scene}
cp -a /etc ${scene}/etc
id=7600
for u in ${USERS.join(' ')}; do
  id=$((id + 1))
  echo "$u:x:$id:$id::${scene}/$u:/bin/bash" >>${scene}/etc/passwd
  echo "$u:x:$id:" >>${scene}/etc/group
  install -d -o $id -g $id -m 0700 ${scene}/$u
done
echo "cards:x:7699:cardgate,aino,bo" >>${scene}/etc/group
mkdir ${scene}/run ${scene}/lib
mount --bind ${scene}/etc /etc
mount --bind ${scene}/run /run
mount --bind ${scene}/lib /var/lib
as() { u=$1; shift; h=$(getent passwd $u | cut -d: -f6); (cd $h; exec env -i HOME=$h PATH=${scene}:/usr/bin:/bin setpriv --reuid $u --regid $u --init-groups "$@"); }
sudo() { u=$2; shift 3; as $u "$@"; }
serve() { (cd ${HOME}; exec env -i HOME=${HOME} PATH=${scene}:/usr/bin:/bin setpriv --reuid cardgate --regid cardgate --init-groups cardctl gate serve -o ndjson >>${scene}/gate.log 2>&1) & gate=$!; }
systemctl() {
  grep -q '^User=cardgate$' /etc/systemd/system/cardctl-gate.service
  grep -q '^ExecStart=.*cardctl gate serve -o ndjson$' /etc/systemd/system/cardctl-gate.service
  install -d -o cardgate -g cardgate -m 0711 /run/cardctl-gate
${folders}
  serve
}
(exec env -i HOME=${scene} PATH=${scene}:/usr/bin:/bin T=${SECRET} cardctl sandbox serve --memory --port ${PORT} --auth bearer:env:T -o ndjson >${scene}/service.log 2>&1) &
service=$!
until curl -sf -X PATCH -H 'authorization: Bearer ${SECRET}' -H 'content-type: application/json' -d '{"booked":200000}' http://127.0.0.1:${PORT}/_sandbox/state/balance/2006-EUR; do sleep 0.2; done
echo "keys: {bo: $(as bo cardctl data keys -o csv --columns key --no-header)}" >>policy.yaml
. ./commands <<<${SECRET}
install -d -o root -g 7699 -m 3770 /run/proposals
for u in cardgate aino bo; do id -u $u; done >/run/proposals/members
as cardgate cardctl profiles edit prod --proposals /run/proposals
for u in aino bo; do
  as $u cardctl profiles add prod --kind live --socket /run/cardctl-gate/$u/prod.sock --auth none --audit-user "$u of ops" --proposals /run/proposals
done
as nightly cardctl profiles add prod --kind live --socket /run/cardctl-gate/nightly/prod.sock --auth none --machine-user nightly --responsible 'Cards operations'
echo ready >${scene}/ready
while read -r line; do
  # The end of the input is that of the scene.
  kill -9 $gate; wait $gate 2>/dev/null || true; sleep 1; serve
done
kill $gate $service; wait; exit 0
`

const keeper = spawn('unshare', ['-m', '--propagation', 'private', 'bash', '-c', SETUP], {
  stdio: ['pipe', 'inherit', 'inherit'],
})
let failed = 0
const expectThat = (what: string, isSo: boolean, more = ''): void => {
  if (!isSo) failed++
  process.stdout.write(`${isSo ? 'ok' : 'FAILED'}  ${what}${isSo ? '' : `\n${more}`}\n`)
}
const content = (name: string): string => {
  try {
    return readFileSync(join(scene, name), 'utf8')
  } catch {
    return ''
  }
}
async function until(name: string, text: string, times = 1): Promise<void> {
  for (let waited = 0; content(name).split(text).length <= times; waited += 100) {
    if (waited > 60_000 || keeper.exitCode !== null)
      throw new Error(`${name} has no ${text}: ${content(name)}`)
    await pause(100)
  }
}
/** A line of shell as a user of the scene. */
const shell = (user: string, line: string) => {
  const {status, stdout, stderr} = spawnSync(
    'nsenter',
    [
      '-t',
      String(keeper.pid),
      '-m',
      'setpriv',
      '--reuid',
      user,
      '--regid',
      user,
      '--init-groups',
      'bash',
      '-c',
      line,
    ],
    {
      cwd: scene,
      encoding: 'utf8',
      env: {
        HOME: user === 'cardgate' ? HOME : join(scene, user),
        PATH: `${scene}:/usr/bin:/bin`,
        SOCK: `/run/cardctl-gate/${user}/prod.sock`,
      },
    },
  )
  return {status, said: `${stdout}${stderr}`}
}
const CURL = 'curl -s -m 20 --unix-socket $SOCK'
const sends = (path: string, method = 'GET', body?: string): string =>
  `${CURL} -X ${method} ${body === undefined ? '' : `-H 'content-type: application/json' -d '${body}'`} 'http://x${path}'`
const transfer = (text: string) =>
  JSON.stringify({
    transfers: [{fromAccountId: '2006', toAccountId: '2007', amount: 9000, currency: 'EUR', text}],
  })

/** What no command may cause, no matter who runs it. */
const TRIES: readonly (readonly [user: string, line: string, said: RegExp])[] = [
  ...['robot', 'nightly', 'mallory'].flatMap(user => [
    [user, `cat ${HOME}/.local/share/cardctl/secrets.json`, /Permission denied/] as const,
    [user, `ls ${HOME}`, /Permission denied/] as const,
    [user, 'cat /proc/$(pgrep -fo "gate serve")/environ', /Permission denied/] as const,
    [user, 'kill -USR1 $(pgrep -fo "gate serve")', /not permitted/] as const,
    [user, 'echo >>/etc/cardctl/policy.yaml', /Permission denied/] as const,
    [user, 'mv /etc/cardctl /etc/other', /Permission denied|cannot move/] as const,
    [user, `curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:${PORT}/v4/3001`, /401/] as const,
    [user, 'ls /run/cardctl-gate', /Permission denied/] as const,
    [user, 'touch /run/cardctl-gate/robot/x', /Permission denied/] as const,
    [user, 'rm -f /run/cardctl-gate/nightly/prod.sock', /Permission denied/] as const,
    [user, `unshare -Ur cat ${HOME}/.local/share/cardctl/secrets.json`, /denied|failed/] as const,
  ]),
  ['robot', 'curl -sS --unix-socket /run/cardctl-gate/nightly/prod.sock http://x/v4/3001', /connect/],
  ['nightly', 'curl -sS --unix-socket /run/cardctl-gate/robot/prod.sock http://x/v4/3001', /connect/],
  ['mallory', 'curl -sS --unix-socket /run/cardctl-gate/robot/prod.sock http://x/v4/3001', /connect/],
  ...['-Ur', '-Urn', '-Urm'].flatMap(flags => [
    [
      'mallory',
      `unshare ${flags} curl -sS --unix-socket /run/cardctl-gate/robot/prod.sock http://x/v4/3001`,
      /connect|failed|denied/,
    ] as const,
    [
      'robot',
      `unshare ${flags} ${sends('/v4/CREDIT/2001', 'PATCH', '{"creditLimit":1}')}`,
      /an agent has no line for write|failed|denied/,
    ] as const,
  ]),
  ['robot', 'chmod 777 $SOCK', /not permitted/],
  ['robot', sends('/v4/CREDIT/2001', 'PATCH', '{"creditLimit":1}'), /an agent has no line for write/],
  ['robot', sends('/v1/a2a/batches', 'POST', transfer('x')), /an agent has no line for write/],
  ['robot', sends('/v1/pricelist/5002', 'DELETE'), /no line for destroy/],
  ['robot', sends('/v4/card/3001/controlToken', 'POST'), /hands out something secret/],
  ['robot', sends('/v2/plastic/4001', 'POST', '{}'), /hands out something secret/],
  ['robot', sends('/v3/view', 'POST', '{"controlId":"x"}'), /hands out something secret/],
  [
    'robot',
    sends('/v4/card/cardnumber', 'POST', '{"cardNumber":"4111111111111111"}'),
    /takes something secret/,
  ],
  ['robot', sends('/_sandbox/reset', 'POST'), /No operation/],
  ['robot', sends('/card/v4/3001'), /No operation/],
  ['robot', sends('/v4/%2e%2e/v4/3001'), /not written plainly/],
  ['robot', 'cardctl accounts patch 2001 --type credit -F creditLimit=1 -p prod --yes', /FORBIDDEN|POLICY/],
  ['robot', 'cardctl api POST /v9/money --data {} -p prod --yes --confirm /v9/money', /NOT_FOUND/],
  ['nightly', sends('/v4/CREDIT/2001', 'PATCH', '{"creditLimit":1}'), /no sum for amounts in UNSTATED/],
  ['nightly', sends('/v4/CREDIT/2001', 'PATCH', '{"status":"ACCOUNT_TO_CLOSE"}'), /no line for destroy/],
  ['nightly', sends('/v1/a2a/batches', 'POST', transfer('x').replace('9000', '10000.01')), /of a request/],
  [
    'nightly',
    sends('/v1/a2a/batches', 'POST', transfer('x').replace('EUR', 'USD')),
    /no sum for amounts in USD/,
  ],
]

try {
  await until('ready', 'ready')
  await until('gate.log', '"ready"')
  const card = shell('robot', 'cardctl cards get 3001 -p prod -o json')
  expectThat('robot reads a card', card.status === 0 && card.said.includes('41111111____1111'), card.said)
  for (const [user, line, said] of TRIES) {
    const found = shell(user, line)
    expectThat(`${user}: ${line}`, said.test(found.said) && !found.said.includes(SECRET), found.said)
  }
  const batches = () =>
    content('service.log')
      .split('\n')
      .filter(line => /"method":"(?:POST|PATCH|PUT|DELETE)"/.test(line) && !line.includes('/_sandbox/'))
  expectThat('nothing was written', batches().length === 0, batches().join('\n'))

  // EUR 50,000 a day are five transfers of 9,000, however they are sent, and across a kill of the server.
  const many = (from: number, to: number) =>
    `for i in $(seq ${from} ${to}); do ${sends('/v1/a2a/batches', 'POST', transfer('tN')).replace('tN', "t'$i'")} -o /dev/null -w '%{http_code} ' & done; wait`
  const first = shell('nightly', many(1, 3)).said
  keeper.stdin.write('restart\n')
  await until('gate.log', '"ready"', 2)
  const second = shell('nightly', many(4, 15)).said
  const done = `${first}${second}`.split(' ').filter(code => code === '200').length
  expectThat('five transfers of 9,000 fit EUR 50,000', done === 5, `${first}| ${second}`)
  expectThat('and no more reached the service', batches().length === 5, batches().join('\n'))
  // What was sent is sent again only if one person proposes that and another one approves it.
  const repeat = `a2a create --transfer 2006:2007:9000:EUR:t1 -p prod --confirm-count 1 --confirm-total EUR:9000`
  const refusedAgain = shell('aino', `cardctl ${repeat} --again`)
  expectThat('aino alone repeats none', /propose it with --again/.test(refusedAgain.said), refusedAgain.said)
  const repeated = shell('aino', `cardctl ${repeat} --again --propose -o json`)
  const repeatId = /p_[0-9a-f]{40}/.exec(repeated.said)?.[0] ?? ''
  const agreed = shell(
    'bo',
    `cardctl requests approve ${repeatId} -p prod --yes --confirm-count 1 --confirm-total EUR:9000`,
  )
  const isRepeated = agreed.status === 0 && batches().length === 6
  expectThat('aino and bo together do, once', isRepeated, repeated.said + agreed.said)
  // Two persons.
  const yes = '--yes --confirm 2001 --confirm ACCOUNT_TO_CLOSE -p prod'
  const alone = shell('aino', `cardctl accounts close 2001 --type credit ${yes}`)
  expectThat('nobody closes an account alone', /needs an approval/.test(alone.said), alone.said)
  const kept = shell('aino', 'cardctl accounts close 2001 --type credit --propose -p prod -o json')
  const id = /p_[0-9a-f]{40}/.exec(kept.said)?.[0] ?? ''
  const forged = `${CURL} -X PATCH -H 'content-type: application/json' -H 'x-cardctl-proposal: ${id}' -H "x-idempotency-key: $(sed -n 's/.*"key": "\\(.*\\)".*/\\1/p' /run/proposals/${id}.json)" -d '{"status":"ACCOUNT_TO_CLOSE"}' http://x/v4/CREDIT/2001`
  expectThat('not before it is approved', /is not approved/.test(shell('bo', forged).said))
  const approved = shell('bo', `cardctl requests approve ${id} ${yes}`)
  expectThat('bo approves what aino proposed', approved.status === 0, kept.said + approved.said)
  const again = shell('aino', forged)
  expectThat('aino does not send it', /approved by bo, and not by aino/.test(again.said), again.said)
  expectThat('it was sent once', batches().length === 7, batches().join('\n'))
  // And by files alone, as from another machine.
  const other = shell('aino', 'cardctl accounts close 2002 --type debit --propose -p prod -o json')
  const otherId = /p_[0-9a-f]{40}/.exec(other.said)?.[0] ?? ''
  const signed = shell(
    'bo',
    `cd && cp /run/proposals/${otherId}.json . && cardctl requests sign ${otherId}.json --confirm ${otherId.slice(0, 10)} --to signed.json`,
  )
  writeFileSync(join(scene, 'signed.json'), content('bo/signed.json'))
  writeFileSync(join(scene, 'forged.json'), content('bo/signed.json').replace('bo"', 'aino"'))
  const send = (file: string) =>
    shell('aino', `cardctl requests approve ${otherId} --signed ${scene}/${file} -p prod`)
  expectThat('aino forges no signature', /cannot be used/.test(send('forged.json').said))
  const sent = send('signed.json')
  expectThat('aino sends what bo has signed', sent.status === 0, other.said + signed.said + sent.said)
  expectThat('once', /was approved by/.test(send('signed.json').said) && batches().length === 8)
  // The same approval by another member, and at a server whose records are gone.
  const file = `/run/proposals/${otherId}.decision.json`
  const anew = (user: string) =>
    shell(
      user,
      `CARDCTL_DATA_DIR=$(mktemp -d) cardctl requests approve ${otherId} --signed ${scene}/signed.json -p prod`,
    )
  shell('aino', `rm ${file}`)
  const effects = () => content('service.log').split('"replayed":false').length
  const before = effects()
  const brought = anew('bo')
  expectThat('what bo has signed has no second effect', effects() === before, brought.said)
  shell('bo', `rm -f ${file}`)
  const trail = shell(
    'cardgate',
    'cardctl audit verify && cardctl audit list --kind refuse --limit 500 -o json',
  )
  shell('cardgate', 'cd ~/.local/share/cardctl && rm -rf journal day-sums.db* audit*')
  keeper.stdin.write('restart\n')
  await until('gate.log', '"ready"', 3)
  const writes = batches().length
  const late = anew('aino')
  const isRefused = late.status === 3 && /only from the journal/.test(late.said)
  expectThat('nor at a server that begins anew', isRefused && batches().length === writes, late.said)
  const refusals = trail.said.split('"kind": "refuse"').length - 1
  expectThat('the trail is sound, and has each refusal', trail.status === 0 && refusals >= 20, trail.said)
} finally {
  keeper.stdin.end()
  if (keeper.exitCode === null) await new Promise(resolve => keeper.once('exit', resolve))
  rmSync(scene, {recursive: true, force: true})
}
process.exitCode = failed > 0 ? 1 : 0
