import {duration} from '../../../errors/duration.ts'
import {count} from '../../../money/amount.ts'
import {detail, labelledText} from '../../../output/detail.ts'
import {fieldAt, numberAt, textAt} from '../../../output/fields.ts'
import {dim, ok, warn} from '../../../output/styled.ts'
import {table} from '../../../output/table.ts'
import {blocks, sentence, type View} from '../../../output/view.ts'
import {dateTime} from '../../../output/when.ts'

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
    'table',
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

/** A confirmation of what was done. */
export const sentenceView =
  (text: string): View =>
  (_, context) =>
    sentence(text, context)

/** A new tenant. Its token is shown this once. */
export const tenantAddedView: View = (added, context) =>
  blocks(
    labelledText(
      [
        ['Tenant', textAt(added, 'name')],
        ['Path', textAt(added, 'path')],
        ['Token', textAt(added, 'token')],
      ],
      context,
    ),
    sentence(dim('Keep the token: it is not shown again.'), context),
  )

/** The tenants of a database. */
export const tenantsView: View = (tenants, context) =>
  table(
    'tenant',
    [
      {title: 'Tenant', value: tenant => textAt(tenant, 'name'), fit: 'keep'},
      {title: 'Rate limit', value: tenant => textAt(tenant, 'rate'), optional: true},
      {
        title: 'Rows at most',
        value: tenant => textAt(tenant, 'maxRows'),
        align: 'right',
        fit: 'keep',
        optional: true,
      },
      {title: 'Last used', value: tenant => dateTime(fieldAt(tenant, 'lastUsedAt'), context)},
      {title: 'Expires', value: tenant => dateTime(fieldAt(tenant, 'expiresAt'), context), optional: true},
    ],
    Array.isArray(tenants) ? tenants : [],
    context,
    'No tenants.',
  )

function webhookText(webhook: unknown): string {
  const url = textAt(webhook, 'url')
  if (url === '') return 'none'
  return fieldAt(webhook, 'hasCredentials') === true ? `${url}, with credentials` : url
}

/** One tenant. */
export const tenantView: View = (tenant, context) => {
  const runMs = numberAt(tenant, 'runMs')
  return detail(
    {
      title: `Tenant ${textAt(tenant, 'name')}`,
      rows: [
        ['Path', textAt(tenant, 'path')],
        ['Rate limit', textAt(tenant, 'rate') || 'none'],
        ['Rows at most', textAt(tenant, 'maxRows') || 'any number'],
        ['Webhook', webhookText(fieldAt(tenant, 'webhook'))],
        ['Runs', runMs === undefined ? 'not allowed' : `allowed, for ${duration(runMs)} each`],
        ['Created', dateTime(fieldAt(tenant, 'createdAt'), context)],
        ['Last used', dateTime(fieldAt(tenant, 'lastUsedAt'), context) || 'never'],
        ['Expires', dateTime(fieldAt(tenant, 'expiresAt'), context)],
      ],
    },
    context,
  )
}
