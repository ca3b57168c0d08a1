#!/usr/bin/env node
// Runs the sources as they are: Node strips the types.
import {readFileSync} from 'node:fs'
import process from 'node:process'
import {main} from '../src/cli/main.ts'
import {processSurroundings} from '../src/cli/surroundings.ts'

const pjson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
pjson.oclif.commands.target = './src/commands'
pjson.oclif.helpClass = './src/cli/help.ts'
process.exitCode = await main(process.argv.slice(2), processSurroundings(new AbortController().signal), pjson)
