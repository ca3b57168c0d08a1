/** Rules that decide about calls, from a file. */
export {
  followRules,
  type LoadedRules,
  loadRules,
  type RuleDecider,
  type RuleHits,
  type RulesReload,
} from './follow-rules.ts'
export {createPreview, type Preview} from './judge.ts'
export {readRules} from './read-rules.ts'
