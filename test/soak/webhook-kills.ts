// `webhook serve`, killed with -9 under load a hundred times: every answered call must be recorded.
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {seeded} from '../helpers/random.ts'
import {killRounds} from '../webhook/kill-rounds.ts'

const ROUNDS = 60
const seed = Number(process.env.SEED ?? 1)

for (const durability of ['process', 'power'] as const) {
  const home = mkdtempSync(join(tmpdir(), 'cardctl-kills-'))
  try {
    const random = seeded(seed)
    const {answered, missing, changed} = await killRounds({home, rounds: ROUNDS, durability, random})
    process.stdout.write(
      `${durability}, seed ${seed}: ${ROUNDS} kills, ${answered} calls answered, ${missing.length} of them not recorded, ${changed.length} answered otherwise later\n`,
    )
    for (const each of [...missing, ...changed]) process.stderr.write(`${each}\n`)
    if (missing.length + changed.length > 0 || answered < ROUNDS) process.exitCode = 1
  } finally {
    rmSync(home, {recursive: true, force: true})
  }
}
