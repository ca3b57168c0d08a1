import {open, stat} from 'node:fs/promises'
import {resolve} from 'node:path'
import * as Flags from '@oclif/core/flags'
import type {Context} from '../../../cli/context.ts'
import {clockFlag, durationFlag, type FlagValues, typedDuration} from '../../../cli/flags.ts'
import {Failure} from '../../../errors/failure.ts'
import {unreadableInput} from '../../../input/read-input.ts'
import {
  type Durability,
  openRecorder,
  openRecording,
  type Recording,
  type RecordingTrouble,
  recordingFile,
  type ServerRecorder,
} from '../../../webhook/index.ts'

const DAY = 86_400_000

/** The flag of every command that reads or writes the recording of authorisation calls. */
export const recordingFlag = {
  recording: Flags.string({
    helpValue: 'FILE',
    summary: 'Recording file (default webhook/events.db in the data folder).',
  }),
}

/** Flags of commands that record. */
export const recorderFlags = {
  ...clockFlag,
  ...recordingFlag,
  record: Flags.boolean({
    default: true,
    allowNo: true,
    summary: 'Write each call and its answer, masked, to the recording (default).',
  }),
  durability: Flags.option({
    options: ['power', 'process', 'relaxed'] as const satisfies readonly Durability[],
    default: 'process',
    summary:
      'When a call counts as recorded: power, after a power failure; process, after a crash of cardctl; relaxed answers first and may lose the last 100 ms.',
  })(),
  keep: durationFlag({
    default: 30 * DAY,
    helpValue: '30d',
    summary: `Remove calls from the recording that are older (default ${typedDuration(30 * DAY)}).`,
  }),
}

type RecorderFlags = FlagValues<typeof recorderFlags>

/** Opens the recording for writing, unless `--no-record` was given. Warns on stderr about problems. */
export async function openWebhookRecorder(
  context: Context,
  {recording, record, durability, keep}: RecorderFlags,
): Promise<ServerRecorder | undefined> {
  if (!record) return undefined
  const file = await recordingFileOf(context, recording)
  await reportLoss(context, file)
  const {clock} = context.stores
  clock.needed()
  try {
    return await context.stores.reportingLooseModes([file], () =>
      openRecorder({
        file,
        durability,
        keepMs: keep,
        now: context.surroundings.now,
        earliest: newest => clock.earliest(newest),
        onTrouble: trouble => context.printer.warn(inWords(trouble)),
      }),
    )
  } catch (error) {
    if (!(error instanceof Failure) || !['STORE_UNAVAILABLE', 'DISK_FULL'].includes(error.code)) throw error
    const hint = 'Check its owner, mode and the free space, or serve with --no-record.'
    throw new Failure(error.code, {message: error.message, hint, cause: error})
  }
}

/** The file of the recording, named or the default. */
export async function recordingFileOf(context: Context, recording: string | undefined): Promise<string> {
  return recording === undefined ? recordingFile(context.folders.data) : resolve(recording)
}

function inWords(trouble: RecordingTrouble): string {
  if (trouble.kind === 'removed') {
    return `${trouble.file} was removed or replaced. CALLS ARE RECORDED WHERE NOBODY FINDS THEM until the server is started again.`
  }
  if (trouble.kind === 'failing') {
    const why = trouble.reason instanceof Failure ? trouble.reason.message : 'An unexpected fault.'
    return `CALLS ARE NOT RECORDED, but still answered. ${why} cardctl tries again every second.`
  }
  const {late, lost} = trouble
  const end = lost === 0 ? 'none is lost' : `${lost} are lost`
  return `Recording failed for a while: ${late} calls were recorded after their answers had left, ${end}.`
}

/** Opens the recording for reading, also while servers write to it. */
export async function withRecording<Result>(
  context: Context,
  {recording}: {readonly recording?: string | undefined},
  work: (recording: Recording) => Promise<Result>,
): Promise<Result> {
  if (recording !== undefined && !(await isDatabase(recording))) {
    throw new Failure('INPUT_INVALID', {message: `${recording} is not a recording.`})
  }
  const file = await recordingFileOf(context, recording)
  await reportLoss(context, file)
  using opened = await context.stores.reportingLooseModes([file], () => openRecording(file))
  return await work(opened)
}

/** Warns that a recording was emptied or removed, before a new one replaces it. */
async function reportLoss({printer}: Context, file: string): Promise<void> {
  const size = await sizeOf(file)
  // SQLite keeps this file next to a database that is being written.
  const wasThere = size === 0 || (size === undefined && (await sizeOf(`${file}-wal`)) !== undefined)
  if (!wasThere) return
  const what = size === 0 ? 'is empty' : 'was removed'
  printer.warn(`${file} ${what}. Calls recorded in it are lost, and a new recording starts.`)
}

/** Undefined if the file doesn't exist or can't be checked; opening it reports why. */
const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({size}) => size,
    () => undefined,
  )

/** Whether a file begins like a SQLite database (https://www.sqlite.org/fileformat2.html, 1.3). */
export async function isDatabase(file: string): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false
    await using opened = await open(file)
    const {buffer} = await opened.read(Buffer.alloc(15), 0, 15, 0)
    return buffer.toString('latin1') === 'SQLite format 3'
  } catch (error) {
    throw unreadableInput(file, error)
  }
}
