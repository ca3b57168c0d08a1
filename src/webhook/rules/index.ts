/** Rules that decide about calls, from a file. */
export {followRules, type RulesReload} from './follow-rules.ts'
export {type LoadedRules, loadRules} from './load-rules.ts'
export {type Preview, previewBy} from './preview.ts'
