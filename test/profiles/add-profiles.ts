// A process of its own that adds profiles one after the other: node add-profiles.ts CONFIG_DIR PREFIX COUNT
import {openProfiles} from '../../src/profiles/index.ts'

// Under a limited file size a write shall fail as on a full disk, and not end the process.
if (process.platform !== 'win32') process.on('SIGXFSZ', () => {})

const [folder = '', prefix = '', count = '0'] = process.argv.slice(2)
const profiles = openProfiles({
  env: {CARDCTL_CONFIG_DIR: folder, CARDCTL_DATA_DIR: folder},
  platform: process.platform,
  homedir: folder,
  osUser: 'aino',
  now: Date.now,
  newKey: () => crypto.randomUUID(),
})
for (let n = 1; n <= Number(count); n++) {
  await profiles.add(`${prefix}-${n}`, {kind: 'test', baseUrl: `https://${prefix}-${n}.example`})
  process.stdout.write(`${prefix}-${n}\n`)
}
