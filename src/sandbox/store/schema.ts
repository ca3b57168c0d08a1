/**
 * The store's schema, step by step; append only. Each table keeps whole rows as JSON, with a column beside it for each
 * member it is looked up by. `seq` is the order in which rows were first written.
 */
const table = (name: string, columns: readonly string[] = []) => {
  const declared = columns.map(column => `, ${column}`).join('')
  const indexes = columns.map(column => {
    const member = column.split(' ')[0]
    return `CREATE INDEX ${name}_${member} ON ${name}(${member});`
  })
  return `CREATE TABLE ${name} (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE${declared}, row TEXT NOT NULL) STRICT;
${indexes.join('\n')}`
}

export const migrations: readonly string[] = [
  [
    table('settings'),
    table('sequences'),
    table('customers'),
    table('accounts', ['customerId TEXT', 'number TEXT']),
    table('balances', ['accountId TEXT']),
    table('postings', ['accountId TEXT', 'entryId TEXT']),
    table('cards', ['customerId TEXT', 'accountId TEXT', 'referenceNumber TEXT', 'numberDigest TEXT']),
    table('plastics', ['cardId TEXT']),
    table('priceLists', ['code TEXT']),
    table('pricePeriods', ['priceListId TEXT']),
    table('batches', ['status TEXT']),
    table('transferItems', ['batchId TEXT']),
    table('pinControls', ['expiresAt INTEGER']),
    table('cardDataTokens', ['expiresAt INTEGER']),
    table('enrolledCustomers'),
    table('enrolledCards', ['customerId TEXT']),
    table('traces', ['ended INTEGER']),
    table('keptReplies', ['expiresAt INTEGER']),
    table('faults'),
  ].join('\n'),
  [
    table('authorisations', ['cardId TEXT', 'accountId TEXT', 'transactionId TEXT']),
    table('clearings', ['authorisationId TEXT']),
    table('holds', ['until INTEGER']),
  ].join('\n'),
]
