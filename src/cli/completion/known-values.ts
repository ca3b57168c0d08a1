import {contractFolder, contractNames, StoredContract} from '../../imported/contract-file.ts'
import {journalFile} from '../../journal/journal-file.ts'
import {recentIds} from '../../journal/recent-ids.ts'
import {choose} from '../../profiles/choose.ts'
import {EMBEDDED_PROFILE, isProfileName} from '../../profiles/profile-name.ts'
import {type ProfilesDocument, profilesFile, readDocument} from '../../profiles/read-profile.ts'
import {serviceOf} from '../../profiles/service.ts'
import {foldersOf, type ProfileSurroundings} from '../../profiles/surroundings.ts'
import {looksLikeCardNumber} from '../../sensitive/card-number.ts'
import type {KnownIds, KnownValues} from './values.ts'

type Given = Pick<ProfileSurroundings, 'env' | 'platform' | 'homedir' | 'osUser'>

/**
 * Names of profiles, and ids from the journal of a profile's service. Creates no file, waits for no lock and asks no
 * service. What can't be read is left out: the command itself reports why.
 */
export function knownValues(given: Given): KnownValues {
  const folders = foldersOf(given)
  const document = (): ProfilesDocument => readDocument(profilesFile(folders.config))
  return {
    profiles: () =>
      orElse(
        () => [EMBEDDED_PROFILE, ...[...document().profiles.keys()].filter(isProfileName)],
        [EMBEDDED_PROFILE],
      ),
    ids: profile =>
      orElse<KnownIds>(
        () => {
          const service = serviceOf(choose({profile, auditUser: 'completion'}, document(), given))
          const {requests, jobs, resources} = recentIds(journalFile(folders.data, service))
          return {
            requests: requests.map(({id}) => id).filter(isPlainId),
            jobs: jobs.filter(isPlainId),
            resources: resources.filter(one => isPlainId(one) && isPlainId(one.slice(one.indexOf(':') + 1))),
          }
        },
        {requests: [], jobs: [], resources: []},
      ),
    fromContracts: (profile, read) =>
      orElse(() => {
        const {name} = choose({profile, auditUser: 'completion'}, document(), given)
        const folder = contractFolder(folders.data, name)
        const contracts = contractNames(folder).map(each => new StoredContract(folder, each))
        try {
          return read(contracts)
        } finally {
          for (const contract of contracts) contract.close()
        }
      }, undefined),
  }
}

/** An id that a shell needs no quotes for, and that is neither a flag nor a card number. */
const isPlainId = (id: string): boolean => /^[\w.:][\w.:-]{0,79}$/.test(id) && !looksLikeCardNumber(id)

function orElse<Value>(read: () => Value, fallback: Value): Value {
  try {
    return read()
  } catch {
    return fallback
  }
}
