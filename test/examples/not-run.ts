/** What a line needs that no machine has by itself, by words in the line. */
const NEEDED = [
  // Never run as root what a page asks an administrator to do.
  ['groupadd', 'changes the system; test/binary/four-eyes.test.ts sets users up in its way'],
  ['/srv/', 'changes the system; test/binary/four-eyes.test.ts has such a folder'],
  ['$(id -u $user)', 'changes the system; test/binary/four-eyes.test.ts has such a list'],
  ['-p prod', 'needs a live profile, which the test of the page has'],
  ['profiles edit prod', 'needs a live profile, which the test of the page has'],
  ['requests sign', 'needs a proposal; test/commands/signed-approvals.test.ts runs it'],
  ['createdb', 'needs a PostgreSQL server'],
  ['psql', 'needs a PostgreSQL server; test/postgres/sandbox-rights.test.ts runs it'],
  ['pg_dump', 'needs a PostgreSQL server; test/postgres/sandbox-rights.test.ts runs it'],
  ['auto-instrumentations', 'needs the registry of npm'],
  ['env:DATABASE_URL', 'needs a PostgreSQL server'],
  ['--shared', 'needs a PostgreSQL server'],
  ['bulk work', 'needs a PostgreSQL server'],
  ['requests approve', 'needs a second user of the system'],
  ['requests show p_', 'needs a folder of proposals'],
  ['requests reject', 'needs a proposal'],
  ['data export move', 'asks for a passphrase; test/commands/data-transfer.test.ts runs it'],
  ['data import', 'asks for a passphrase or needs a key; test/commands/data-transfer.test.ts runs it'],
  ['age1…', 'stands for a key'],
  ['ssh-keygen -Y verify', 'needs a release; test/package/checksums.long.test.ts runs it'],
  ['openssl pkeyutl -verify', 'needs a release; test/package/checksums.long.test.ts runs it'],
  ["echo 'deb [signed-by=", 'changes this machine; test/package/apt.test.ts does the same in a root'],
  ['sudo apt', 'changes this machine; test/package/apt.test.ts does the same in a root'],
  ['sha256sum --check', 'needs a release; test/package/checksums.long.test.ts runs it'],
  ['~/.local/', 'needs a release; test/package/packages.test.ts runs it'],
  [
    'sudo dpkg',
    'changes the system; test/package/packages.test.ts installs and removes it in a root of its own',
  ],
  ['npm install --global', 'needs a package; test/binary/package.test.ts runs it'],
  ['npm uninstall --global', 'needs a package; test/binary/package.test.ts runs it'],
  ['npm install --prefix', 'needs the registry of npm'],
  ['webhook link', 'needs a server that runs; test/commands/webhook-link.test.ts has one'],
] as const

/** Examples that this test can't run, with the reason. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  'cardctl upgrade --release ~/Downloads --signers cardctl-signers':
    'a clone is upgraded with git; test/package/checksums.long.test.ts checks a signed release',
  "cardctl webhook certify --to http://127.0.0.1:3000 --probe 'python3 endpoint.py probe holds.db' --restart ./restart.sh --report html=certificate.html --report json=certificate.json":
    'takes a minute; test/examples/certify.test.ts runs it with fewer calls',
  'cardctl webhook certify --to http://127.0.0.1:8484 --calls 200':
    'takes half a minute; test/examples/certify.test.ts runs the same',
  'cardctl webhook certify --verify certificate.json': 'test/examples/certify.test.ts runs it',
  'cardctl bulk run x invoices create-invoice --from invoices.csv -p staging':
    'needs a service of its own; test/commands/bulk-imported.test.ts has one',
  'cardctl mcp -p prod --live-reads': 'needs a live service; test/commands/mcp has one',
  'cardctl mcp': 'talks to a program, not to a terminal; test/commands/mcp does so',
  'cardctl gate serve': 'needs a policy that names callers; test/commands/gate has it',
  'cardctl gate serve -o ndjson': 'needs a policy that names callers; test/commands/gate has it',
  'cardctl policy test "accounts patch 2001 --type credit -F creditLimit=6000 -p prod --as agent"':
    'needs a policy and a live profile; test/policy has them',
  cardctl: 'opens a menu; test/cli/guided.test.ts chooses in it',
  'cardctl accounts patch -i': 'asks for values; test/cli/guided.test.ts gives them',
  'npm ci': 'installs packages from the registry of npm; each check of this project begins with it',
  'node tools/package.ts --platform darwin-arm64 --platform win32-x64':
    'downloads a runtime for each; test/package/packages.test.ts makes the one of this system',
  'npm ci && npx cardctl tour': 'installs packages from the registry; the tour runs as an example of its own',
  'cardctl webhook bench --to http://127.0.0.1:3000 --rate 200/s --duration 30s --max-p99 500ms --max-late 0':
    'takes 30 s; the help of the command has the same for 1 s',
}

/** Why a line is left out; undefined if it runs. */
export const reasonOf = (line: string): string | undefined =>
  Object.hasOwn(NOT_RUN, line) ? NOT_RUN[line] : NEEDED.find(([words]) => line.includes(words))?.[1]

/** Pages whose commands run in a test of their own. */
export const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/first-day.md': 'test/journeys/first-day.test.ts',
  'docs/pin-device.md': 'test/binary/pin-device.test.ts',
}

/** Blocks of pages that are no lines for this test, by the page and how the first line begins, with the reason. */
export const OTHER_BLOCKS: Readonly<Record<string, string>> = {
  'docs/bulk.md: Error PARTLY_DONE: 1 of 3 rows done, 2 failed, 0 left.': 'what a run prints',
  'docs/dialects.md: cardctl profiles add harbour --kind test --base-url https://api.harbour.example --auth bearer --dialect harbour.yaml':
    'needs the service of the dialect; test/dialect has one',
  'docs/dialects.md: cardctl profiles add staging --kind test --base-url https://api.harbour.example --auth bearer':
    'needs the service of the dialect; test/dialect has one',
  'docs/first-webhook.md: payment approved ──► HELD ──► increment approved: raised': 'a drawing',
  'docs/gate.md: useradd ': 'needs root and systemd; test/soak/gate-users.ts sets a server up in this way',
  'docs/imported-contracts.md: cardctl x statements get-statement 7 --save statement.pdf -p staging':
    'needs a service of its own; test/commands/save-response.test.ts has one',
  'docs/imported-contracts.md: cardctl bulk run x invoices create-invoice --from invoices.csv --map unit=header:X-Unit -p staging':
    'needs a service of its own; test/commands/bulk-imported.test.ts has one',
  'docs/nightly-job.md: #!/bin/sh': 'a file; test/examples/nightly.long.test.ts runs it',
  'docs/nightly-job.md: PATH=/usr/local/bin:/usr/bin:/bin': 'a crontab',
  'docs/output.md: Warning: The response differs from the contract: /template is missing; /productCode is missing.':
    'what a read prints',
  'docs/webhook-recording.md: Event  Merchant': 'what webhook replay prints',
  'docs/webhook-rules.md: 14:20:31 rules used: big ATM 3, fuel 41': 'what a server prints',
  'docs/webhook-tests.md: ✗ casino': 'what webhook test prints',
  'docs/webhook-tests.md: cardctl webhook contract --format openapi > endpoint.json':
    'needs the program Prism; test/soak/prism.ts runs it',
  'docs/webhooks.md: {"id":"e_01JD8…","call":{"metadata":{"id":"…"},"transactionData":{…},…}}':
    'what a process reads and writes',
  'docs/webhooks.md: 28.4 s  [1] Fuel pump  EUR 100.00  a approve  d decline  p part  2 3 other':
    'what --ask shows',
  'docs/webhooks.md: 14:02:08 auth Kahvila Aino      EUR      4.20  approve     ▏          3 ms':
    'what a server prints',
  'docs/webhooks.md: x-signature-timestamp: 1781524800': 'headers of a call',
  'docs/webhooks.md: bin/run.js webhook serve --port 8484 &':
    'starts processes; test/binary/background-server.test.ts runs it',
}
