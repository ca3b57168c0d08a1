/** Test suites for endpoints: read from a file, and run against one. No printing. */

export {chooseSteps} from './choose-steps.ts'
export type {Expectation, Sent} from './expectation.ts'
export {compileExpectation, specOf, specsOf} from './expectations.ts'
export {loadSuite, showSuite} from './load-suite.ts'
export {readSuite} from './read-suite.ts'
export type {Check, LoadResult, SentCall, StepResult, SuiteEvent, SuiteSummary} from './results.ts'
export {runSuite, type SuiteSettings} from './run-suite.ts'
export type {Basis, ExpectSpec, Step, Suite} from './suite-file.ts'
