import {enableCompileCache, flushCompileCache} from 'node:module'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterAll} from 'vitest'

// The same values in every run, so that a red test is the change's fault; FC_SEED tries others.
fc.configureGlobal({seed: Number(process.env.FC_SEED ?? 20_261_121)})

// Each worker loads the sources again; with their types already stripped, that takes half the time.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/cardctl-tests'))
afterAll(() => flushCompileCache())
