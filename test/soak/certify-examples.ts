// The certificate of each example endpoint whose language is installed.
import process from 'node:process'
import {
  exampleEndpoints,
  isInstalled,
  runEndpoint,
  SHORT,
  type ShownCertificate,
} from '../examples/certified-endpoints.ts'
import {openHome} from '../helpers/cli.ts'

const home = await openHome()
let faults = 0
try {
  for (const endpoint of exampleEndpoints) {
    if (!isInstalled(endpoint)) {
      process.stdout.write(`${endpoint.language}: ${endpoint.program} is not installed\n`)
      continue
    }
    const {url, flags, stop} = await runEndpoint(endpoint)
    try {
      const argv = ['webhook', 'certify', '--to', url, ...SHORT, '--expects', 'none', ...flags, '-o', 'json']
      const {code, stdout, stderr} = await home.run(argv)
      const {checks} = JSON.parse(stdout) as ShownCertificate
      const named = (wanted: string) => checks.filter(({state}) => state === wanted).map(({name}) => name)
      const failed = named('failed')
      // The percentile needs 10,000 calls.
      const isWhole = named('not checked').length === 1
      if (code !== 0 || failed.length > 0 || !isWhole) faults++
      process.stdout.write(
        `${endpoint.language}: ${named('passed').length} passed, not checked: ${named('not checked').join(', ')}\n${failed.length > 0 ? `failed: ${failed.join(', ')}\n${stderr}` : ''}`,
      )
    } finally {
      await stop()
    }
  }
} finally {
  await home.remove()
}
process.exitCode = faults > 0 ? 1 : 0
