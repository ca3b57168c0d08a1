import fc from 'fast-check'

// The same values in every run, so that a red test is the change's fault; FC_SEED tries others.
fc.configureGlobal({seed: Number(process.env.FC_SEED ?? 20_261_121)})
