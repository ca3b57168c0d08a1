// For runs of the same tests on many changed sources: a property ends after a moment, with as many values as it had by then.
import fc from 'fast-check'

fc.configureGlobal({...fc.readConfigureGlobal(), interruptAfterTimeLimit: 200})
