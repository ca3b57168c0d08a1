import * as Flags from '@oclif/core/flags'
import type {Context} from '../../../cli/context.ts'
import {advice} from '../../../errors/advice.ts'
import {Failure} from '../../../errors/failure.ts'
import {cardctl} from '../../../errors/suggested-command.ts'
import type {Translator} from '../../../webhook/index.ts'

/** A flag for the form of calls and answers. @param who the service or the endpoint that speaks so. */
export const dialectFlag = (who: string) =>
  Flags.string({
    helpValue: 'FILE',
    summary: `The dialect of ${who}: how calls and answers are written (default the profile's).`,
  })

/**
 * How calls and answers are written: by the dialect of the flag, or that of the profile if it says anything of the webhook.
 *
 * @throws Failure INPUT_INVALID for a file that can't be used
 */
export async function translatorOf(
  {service}: Context,
  file: string | undefined,
): Promise<Translator | undefined> {
  const used = file ?? (await service.dialectFile())
  if (used === undefined) return undefined
  const {loadWebhook} = await import('../../../dialect/webhook.ts')
  const translator = await loadWebhook(used)
  if (translator || file === undefined) return translator
  throw new Failure('INPUT_INVALID', {
    message: `The dialect ${file} has no section webhook.`,
    hint: advice`For the format of dialects, see ${cardctl('help', 'dialects')}`,
    effect: 'none',
  })
}
