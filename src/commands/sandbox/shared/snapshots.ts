import type {RequestOptions} from '../../../cli/client/options.ts'
import {counted} from '../../../money/amount.ts'
import {detail} from '../../../output/detail.ts'
import {numberAt, textAt} from '../../../output/fields.ts'
import {ok} from '../../../output/styled.ts'
import {table} from '../../../output/table.ts'
import {type ListView, sentence, type View} from '../../../output/view.ts'
import {plainDateTime, plainTimeColumn} from '../../../output/when.ts'
import {checkSnapshot, type Snapshot} from '../../../sandbox/index.ts'
import type {ForkedTenant} from '../../../sandbox/team.ts'
import type {SnapshotPlace} from './snapshot-files.ts'

/** Takes a snapshot by a request of a command. */
export async function takenBy(request: (options: RequestOptions) => Promise<unknown>): Promise<Snapshot> {
  let body: unknown
  // Its state is secret, so the response that is shown has masks.
  await request({
    unmasked: received => {
      body = received
    },
  })
  return checkSnapshot(body, 'The response')
}

/** What is told of a snapshot. */
export const aboutSnapshot = (
  {name, file}: SnapshotPlace,
  {savedAt, now, rows, madeBy, digest}: Snapshot,
) => ({
  name: name ?? null,
  file,
  savedAt,
  now,
  rows,
  madeBy,
  digest,
})

/** A new sandbox: its file, or its tenant with the token, which is printed once. */
export const aboutFork = (made: {readonly file: string} | ForkedTenant, {savedAt, now, rows}: Snapshot) => ({
  ...('file' in made
    ? {file: made.file}
    : {tenant: made.tenant, path: `/t/${made.tenant}`, token: made.token.open()}),
  savedAt,
  now,
  rows,
})

export const snapshotForkedView: View = (forked, context) =>
  detail(
    {
      title: textAt(forked, 'tenant') === '' ? 'New sandbox' : `Tenant ${textAt(forked, 'tenant')}`,
      status: ok('made'),
      rows: [
        ['Clock', plainDateTime(textAt(forked, 'now'), context)],
        ['Rows', String(numberAt(forked, 'rows') ?? 0)],
        ['File', textAt(forked, 'file')],
        ['Path', textAt(forked, 'path')],
        ['Token', textAt(forked, 'token')],
      ],
    },
    context,
  )

export const snapshotSavedView: View = (saved, context) =>
  detail(
    {
      title: `Snapshot ${textAt(saved, 'name') || textAt(saved, 'file')}`,
      status: ok('saved'),
      rows: [
        ['Clock', plainDateTime(textAt(saved, 'now'), context)],
        ['Rows', String(numberAt(saved, 'rows') ?? 0)],
        ['File', textAt(saved, 'file')],
      ],
    },
    context,
  )

export const snapshotLoadedView: View = (loaded, context) =>
  sentence(
    [
      `The state of snapshot ${textAt(loaded, 'name') || textAt(loaded, 'file')} is `,
      ok('loaded'),
      `: ${counted(numberAt(loaded, 'rows') ?? 0, 'row')}, clock at ${plainDateTime(textAt(loaded, 'now'), context)}`,
    ],
    context,
  )

export const snapshotListView: ListView = (snapshots, context) => {
  const saved = plainTimeColumn('Saved', context)
  return table(
    'snapshot',
    [
      {title: 'Name', value: 'name', fit: 'keep'},
      {title: saved.title, value: each => saved.text(textAt(each, 'savedAt')), fit: 'keep', optional: true},
      {
        title: 'Clock',
        value: each => plainDateTime(textAt(each, 'now'), context),
        fit: 'keep',
        optional: true,
      },
      {title: 'Rows', value: 'rows', align: 'right', fit: 'keep', optional: true},
      {
        title: 'KiB',
        value: each => String(Math.ceil((numberAt(each, 'bytes') ?? 0) / 1024)),
        align: 'right',
        fit: 'keep',
      },
      {title: 'Problem', value: each => textAt(each, 'problem'), fit: 'wrap', optional: true},
    ],
    snapshots,
    context,
    'No snapshots.',
  )
}
