#!/usr/bin/env node
// Runs the sources as they are: Node strips the types.
import {ensureGenerated} from '../tools/contract/generated.ts'
import {describeCommands} from '../tools/describe-commands.ts'
import {isHangUpIgnored} from './hang-up.js'

// After a pull the contract and the commands may be others.
ensureGenerated()
await describeCommands()
const {start} = await import('../src/cli/start.ts')
const {commands} = await import('../src/commands/index.ts')
await start({isHangUpIgnored: isHangUpIgnored(), commands})
