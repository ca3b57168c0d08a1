export {checkBaseUrl, machineOf, serviceHosts} from './addresses.ts'
export {type AuthType, secretFieldOf} from './auth-settings.ts'
export type {Source} from './base-url-variable.ts'
export {
  type Choice,
  type Chosen,
  chosenStrictness,
  type Provenance,
  type Sourced,
  type WhoAmI,
  whoami,
} from './choose.ts'
export type {ProfileChanges} from './edit-profile.ts'
export {variableOf} from './environment.ts'
export {looseModes, makeFolder, writableFolders} from './folder-modes.ts'
export {
  countRows,
  type Demand,
  decideDemand,
  demandsOfRows,
  type GateOptions,
  gate,
  insteadOf,
  type RowsFound,
  resourceOf,
  type SetRow,
} from './gate.ts'
export {type Keyring, storeChecked} from './keyring.ts'
export {parsePaging} from './paging-setting.ts'
export {AD_HOC_PROFILE, checkNewName, EMBEDDED_PROFILE, isNamed, nameTaken} from './profile-name.ts'
export {openProfiles, type ProfileDetails, type ProfileSummary, type Profiles} from './profiles.ts'
export {environmentForChildren} from './read-profile.ts'
export {type SecretReference, splitCommand} from './reference.ts'
export {openKeyring, readReference} from './secrets.ts'
export {type Service, serviceOf} from './service.ts'
export {isNamedBy, placeWords} from './service-words.ts'
export type {Loosening} from './setting-change.ts'
export {headerProblem, neutralWords} from './setting-checks.ts'
export {
  parseMs,
  parsePairs,
  parsePercent,
  parseQuota,
  parseRateWindows,
  parseYesNo,
  pathOfPair,
  putAt,
} from './setting-text.ts'
export {
  type AuthSettings,
  checkWords,
  type NamedSetting,
  type ProfileKind,
  type ProfileSettings,
  type Rate,
  type SecretInput,
  type StoredProfile,
  settingList,
} from './settings.ts'
export type {ProfileChange} from './surroundings.ts'
export {
  type Folders,
  foldersOf,
  mayGiveSettings,
  type Notice,
  type ProfileSurroundings,
} from './surroundings.ts'
export type {ChangingSecret, Target} from './target.ts'
export type {FlagForm, SettingFlag} from './value-types.ts'
export type {ProfileWebhook} from './webhook-credentials.ts'
