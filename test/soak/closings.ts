// 20 windows closed at random moments of each: a guided `profiles add`, a `pin set` and a bulk run.
import process from 'node:process'
import {closingScene} from '../helpers/closing-scene.ts'
import {seeded} from '../helpers/random.ts'

const SEED = Number(process.env.KILL_SEED ?? 20_261_122)
const CLOSINGS = Number(process.env.CLOSINGS ?? 20)

const {ends, longest} = await closingScene({closings: CLOSINGS, random: seeded(SEED)})
process.stdout.write(`seed ${SEED}, exit codes: ${JSON.stringify(ends)}\n`)
process.stdout.write(`  no process outlived its terminal by more than ${longest.toFixed(2)} s\n`)
process.stdout.write('  no temporary file, and profiles, journal, audit trail and jobs whole\n')
