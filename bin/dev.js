#!/usr/bin/env node
// Runs the sources as they are: Node strips the types.
import {readFileSync} from 'node:fs'
import {ensureGenerated} from '../tools/contract/generated.ts'
import {isHangUpIgnored} from './hang-up.js'

// After a pull the contract may be another one.
ensureGenerated()
const {start} = await import('../src/cli/start.ts')
const pjson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
pjson.oclif.commands.target = './src/commands'
pjson.oclif.helpClass = './src/cli/help.ts'
await start({isHangUpIgnored: isHangUpIgnored(), pjson})
