import {flushCompileCache} from 'node:module'
import fc from 'fast-check'
import {afterAll} from 'vitest'
import './resolve-once.ts'

// The same values in every run, so that a red test is the change's fault; FC_SEED tries others.
fc.configureGlobal({seed: Number(process.env.FC_SEED ?? 20_261_121)})

// A worker is killed at the end, so what it compiled is kept before.
afterAll(() => flushCompileCache())
