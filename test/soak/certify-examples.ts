// Ten certificates of each example endpoint whose language is installed, with a probe and without: no false alarm.
// TIMES chooses another number.
import process from 'node:process'
import {
  exampleEndpoints,
  isInstalled,
  runEndpoint,
  SHORT,
  type ShownCertificate,
} from '../examples/certified-endpoints.ts'
import {openHome} from '../helpers/cli.ts'

const TIMES = Number(process.env.TIMES ?? 10)
const home = await openHome()
let faults = 0
try {
  for (const endpoint of exampleEndpoints) {
    if (!isInstalled(endpoint)) {
      process.stdout.write(`${endpoint.language}: ${endpoint.program} is not installed\n`)
      continue
    }
    for (let time = 1; time <= TIMES; time++)
      for (const probes of [true, false]) {
        const {url, flags, stop} = await runEndpoint(endpoint)
        const began = performance.now()
        try {
          const used = probes ? flags : flags.slice(2)
          const argv = [
            'webhook',
            'certify',
            '--to',
            url,
            ...SHORT,
            '--expects',
            'none',
            ...used,
            '-o',
            'json',
          ]
          const {code, stdout, stderr} = await home.run(argv)
          const {checks} = JSON.parse(stdout) as ShownCertificate
          const named = (wanted: string) => checks.filter(({state}) => state === wanted).map(({name}) => name)
          const failed = named('failed')
          // The percentile needs 10,000 calls.
          const isWhole = !probes || named('not checked').length === 1
          if (code !== 0 || failed.length > 0 || !isWhole) faults++
          process.stdout.write(
            `${endpoint.language} ${time}, ${probes ? 'with' : 'without'} a probe: ${named('passed').length} passed, ${failed.length} failed, not checked: ${named('not checked').length}, ${Math.round((performance.now() - began) / 1000)} s\n${failed.length > 0 ? `failed: ${failed.join(', ')}\n${stderr}` : ''}`,
          )
        } finally {
          await stop()
        }
      }
  }
} finally {
  await home.remove()
}
process.exitCode = faults > 0 ? 1 : 0
