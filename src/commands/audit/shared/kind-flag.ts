import * as Flags from '@oclif/core/flags'
import {ENTRY_KINDS} from '../../../audit/list-trail.ts'

export const kindFlag = {
  kind: Flags.option({options: ENTRY_KINDS, summary: 'Only entries of this kind.'})(),
}
