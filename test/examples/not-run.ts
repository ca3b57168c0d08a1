const POSTGRESQL = 'needs a PostgreSQL server'

/** Examples that this test can't run, with the reason. */
export const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci && npx cardctl tour     # install, then watch a few commands on a temporary sandbox':
    'installs packages from the registry; the tour runs as an example of its own',
  'npm ci && npm test             # install, then run all tests': 'runs this test',
  'cardctl webhook bench --to http://127.0.0.1:3000 --rate 200/s --duration 30s --max-p99 500ms --max-late 0':
    'takes 30 s; the help of the command has the same for 1 s',
  'cardctl sandbox serve --store env:DATABASE_URL': POSTGRESQL,
  'cardctl sandbox store check --store env:DATABASE_URL': POSTGRESQL,
  'cardctl sandbox store migrate --store env:DATABASE_URL': POSTGRESQL,
  'cardctl sandbox store size --store env:DATABASE_URL': POSTGRESQL,
  'createdb sandbox                                     # or ask your database administrator for one':
    POSTGRESQL,
  'cardctl sandbox serve --store env:DATABASE_URL --port 8480': POSTGRESQL,
}

/** Pages whose commands run in a test of their own. */
export const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/first-day.md': 'test/journeys/first-day.test.ts',
  'docs/pin-device.md': 'test/binary/pin-device.test.ts',
}
