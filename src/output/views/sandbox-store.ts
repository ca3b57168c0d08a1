import {count} from '../amount.ts'
import {detail} from '../detail.ts'
import {fieldAt, numberAt, textAt} from '../fields.ts'
import {ok, warn} from '../styled.ts'
import {table} from '../table.ts'
import {sentence, type View} from '../view.ts'

/** What `sandbox store migrate` did. */
export const storeMigratedView: View = (result, context) => {
  const [before, now] = [numberAt(result, 'before') ?? 0, numberAt(result, 'now') ?? 0]
  const what =
    before >= now
      ? `The tables of ${textAt(result, 'database')} are up to date (version ${before}).`
      : before === 0
        ? `Tables created in ${textAt(result, 'database')} (version ${now}).`
        : `Tables of ${textAt(result, 'database')} upgraded from version ${before} to ${now}.`
  return sentence(what, context)
}

/** A database, and what weakens the separation of its tenants. */
export const storeCheckView: View = (check, context) => {
  const found = fieldAt(check, 'warnings')
  const warnings = Array.isArray(found) ? found.map(String) : []
  return detail(
    {
      title: textAt(check, 'database'),
      rows: [
        ['Server', `PostgreSQL ${textAt(check, 'server')}`],
        ['Connection', fieldAt(check, 'encrypted') === true ? 'encrypted' : 'not encrypted'],
        ['User', textAt(check, 'user')],
        ['Tables', `version ${textAt(fieldAt(check, 'schema'), 'version')}`],
        [
          'Tenants',
          warnings.length === 0
            ? ok('separated by row-level security')
            : {lines: warnings.map(text => warn(text))},
        ],
      ],
    },
    context,
  )
}

const MEBIBYTE = 1024 * 1024

/** The tables of a database, with their estimated rows. */
export const storeSizeView: View = (sizes, context) =>
  table(
    [
      {title: 'Table', value: size => textAt(size, 'table')},
      {
        title: 'Rows (estimate)',
        value: size => count(numberAt(size, 'rows') ?? 0),
        align: 'right',
        fit: 'keep',
      },
      {
        title: 'MiB',
        value: size => ((numberAt(size, 'bytes') ?? 0) / MEBIBYTE).toFixed(1),
        align: 'right',
        fit: 'keep',
      },
    ],
    Array.isArray(sizes) ? sizes : [],
    context,
    'No tables.',
  )
