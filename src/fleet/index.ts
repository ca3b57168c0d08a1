/** What machines of a team share by a database: the rows of bulk jobs, and the rate of a service. */
export {contractDigest} from './jobs/identity.ts'
export {JobsDatabase, jobsSchema} from './jobs/jobs-database.ts'
export {SharedJobs} from './jobs/shared-jobs.ts'
export {readTeamKey} from './jobs/team-key.ts'
export {lookAtRateStore} from './pace/rate-store-state.ts'
export {SharedPacer} from './pace/shared-pace.ts'
export {withSharedPause} from './pace/shared-pause.ts'
