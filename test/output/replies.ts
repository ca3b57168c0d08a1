/** Replies as the service sends them, for the views. */
export const card = {
  id: '3001',
  customerId: '1001',
  accountId: '2001',
  template: 'TEMPLATE_A',
  productCode: 'CREDIT_BASIC',
  cardRole: 'MAIN',
  status: 'CARD_OK',
  statusDate: '2026-03-01T09:15:00',
  reason: null,
  maskedCardNumber: '41111111____1111',
  referenceNumber: '900000000003001',
  expiration: {year: 2029, month: 12},
  embossing: {firstName: 'Aino', lastName: 'Virtanen', companyName: null, physical: true},
  cardAddress: {
    address1: 'Katu 1',
    address2: null,
    city: 'Helsinki',
    zipCode: '00100',
    region: null,
    country: 'FIN',
  },
  pinAddress: null,
  cardDeliveryType: 'MAIL',
  pinDeliveryType: null,
  pinStatus: 'S',
  pinAttempts: {counter: 0, max: 3},
  segment: null,
  usageLimits: [
    {
      code: 'DAILY',
      values: [
        {
          code: 'ATM',
          singleAmount: 200,
          sumAmount: 500,
          count: 9999999,
          availableAmount: 450.5,
          availableCount: null,
        },
        {code: 'RETAIL', singleAmount: 0, sumAmount: 0, count: 5, availableAmount: null, availableCount: 3},
      ],
    },
    {code: 'MONTHLY', values: [{code: 'ALL', singleAmount: null, sumAmount: 12345.67, count: null}]},
  ],
  regionAndEcommBlocking: {home: false, europe: false, africa: true, asia: true, oceania: null, ecomm: false},
  scheduledClosing: null,
  digitalLayoutCode: null,
  additionalValues: [{key: 'COLOUR', value: 'blue'}],
}

export const cards = [
  card,
  {
    id: '3002',
    customerId: '1001',
    accountId: '2002',
    cardRole: 'SUPPLEMENTARY',
    status: 'CARD_BLOCKED',
    truncatedCardNumber: '41111111____1129',
    cardTemplate: 'T2',
    embossing: {
      firstName: 'Väinö',
      lastName: 'Äijälä-Öhman-von-und-zu-Langname',
      companyName: '山田商事株式会社',
    },
  },
  {id: '3005', status: 'CARD_LOST', embossing: null},
]

export const batch = {
  id: '88121',
  status: 'COMPLETED_WITH_ERRORS',
  startTime: '2026-11-21T14:02:05',
  completionTime: '2026-11-21T14:02:09.5',
  transferItemCount: 312,
  successfulTransferItems: 310,
  failedTransferItems: 2,
  description: 'Rent, November',
  totalAmount: {EUR: 148220.5, JPY: 1200},
  transfers: {
    size: 2,
    items: [
      {
        id: '1',
        status: 'COMPLETED',
        type: 'A2A',
        fromId: '2006',
        toId: '2007',
        amount: 12.5,
        currency: 'EUR',
        debitTransaction: {id: 't1', errorMessage: null},
        creditTransaction: {id: 't2', errorMessage: null},
      },
      {
        id: '2',
        status: 'FAILED',
        type: 'A2A',
        fromId: '2006',
        toId: '2008',
        amount: 1200,
        currency: 'JPY',
        debitTransaction: {id: 't3', errorMessage: null},
        creditTransaction: {id: null, errorMessage: 'The account is closed'},
        reversalTransaction: {id: 't4', errorMessage: null},
      },
    ],
  },
}

export const enrolledCustomer = {
  customerInformation: {
    email: ['aino@example.test', 'a.virtanen@example.test'],
    phone: ['358401234567'],
    locale: 'fi_FI',
    firstName: 'Aino',
    middleName: null,
    lastName: 'Virtanen',
    countryCode: 'FIN',
    status: 'ACTIVE',
  },
  paymentInstruments: [
    {
      cardId: '3001',
      status: 'ACTIVE',
      nameOnCard: 'AINO VIRTANEN',
      tokenDetails: {tokenReferenceID: 'DNITHE382200', tokenRequestorID: '40010075001'},
      billingAddress: {country: 'FIN'},
    },
  ],
}

export const failedTrace = {
  status: 'COMPLETED',
  details: {
    status: 'FAILED',
    errorDetails: [
      {
        field: 'addressLine1',
        reason: 'INVALID',
        message: 'The address line holds a character that is refused',
      },
    ],
  },
}

export const whoami = {
  profile: 'prod',
  kind: 'live',
  embedded: false,
  address: 'https://api.example.test/issuer',
  auditUser: 'aino',
  auth: 'oauth2',
  readOnly: true,
  explicit: true,
  provenance: {
    profile: {value: 'prod', from: 'environment CARDCTL_PROFILE'},
    baseUrl: {value: 'https://api.example.test/issuer', from: 'profile'},
    auditUser: {value: 'aino', from: 'flag'},
    auth: {value: 'oauth2', from: 'profile'},
  },
}

export const requests = [
  {
    id: 'r_01JD8Z',
    did: 'change credit account 2001',
    operation: 'accounts.patchCredit.v4',
    resources: ['account:2001'],
    state: 'done',
    status: 200,
    durationMs: 88,
    begunAt: '2026-11-21T11:30:00.000Z',
    sent: {creditLimit: 5000, status: 'ACCOUNT_OK'},
  },
  {
    id: 'r_01JD90',
    did: 'send transfers',
    operation: 'a2a.create.v1',
    resources: ['account:2006', 'account:2007', 'batch:88001'],
    state: 'unknown',
    begunAt: '2026-10-20T11:30:00.000Z',
  },
  {
    id: 'r_01M827FCSG6R3QFEBFKMYAJEPG',
    did: 'change the status of customer 1001 in remote checkout',
    operation: 'remotecheckout.updateCustomerStatus.v1',
    resources: ['customer:1001', 'trace:20ae4027-6ae4-4e0b-af37-bd0c12c36456'],
    state: 'refused',
    status: 409,
    durationMs: 54,
    begunAt: '2026-10-20T11:30:00.000Z',
  },
]

export const plastics = [
  {
    id: '7001',
    cardId: '3001',
    sequenceNumber: 1,
    status: 'ACTIVE',
    expiration: {year: 2029, month: 2},
    createdDate: '2026-11-18T12:00:00Z',
    productionDate: null,
    productionType: 'NEW',
    embossing: {firstName: 'Aino', lastName: 'Virtanen'},
  },
]

export const profiles = [
  {
    name: 'prod',
    kind: 'live',
    baseUrl: 'https://api.example.test/issuer',
    auth: {type: 'oauth2'},
    current: true,
  },
  {name: 'sandbox', kind: 'sandbox', embedded: true, readOnly: true},
]

const fault = {status: null, delayMs: 0, drop: null, match: {}, probability: 1, remaining: null, struck: 0}

export const faults = [
  {...fault, id: '1', operation: 'a2a.*', delayMs: 3000, struck: 2},
  {...fault, id: '2', operation: null, match: {'path:id': '3001'}, status: 503, remaining: 4},
  {...fault, id: '3', operation: 'cards.get.v4', drop: 'after', probability: 0.25},
]

const balance = (currency: string, booked: number, held = 0) => ({
  currency,
  booked,
  held,
  available: booked - held,
})

export const accountStates = [
  {
    id: '2001',
    type: 'CREDIT',
    status: 'ACCOUNT_OK',
    creditLimit: 5000,
    effects: 2,
    balances: [balance('EUR', 0)],
  },
  {
    id: '2005',
    type: 'MULTICURR_EUR_FI',
    status: 'ACCOUNT_CLOSED',
    effects: 0,
    balances: [balance('EUR', 1000, 12.5), balance('JPY', 100_000)],
  },
]

const line = {kind: 'write', osUser: 'aino', auditUser: 'aino', profile: 'prod', outcome: 'done', status: 200}

export const auditLines = [
  {
    ...line,
    seq: 12,
    at: '2026-11-21T10:02:03.000Z',
    operation: 'accounts.patchCredit.v4',
    resources: ['account:2001'],
  },
  {
    ...line,
    seq: 11,
    at: '2026-11-20T10:02:03.000Z',
    kind: 'reveal',
    auditUser: 'ops',
    operation: 'pin.view.v3',
    status: undefined,
  },
  {seq: 10, at: '2026-11-01T10:02:03.000Z', kind: 'gap', note: 'Lines before this one were removed.'},
]

export const changedRequest = {
  id: 'r_01M81W4RDVN8NHKS77BDF5KTPH',
  operation: 'accounts.patchCredit.v4',
  state: 'done',
  resources: ['account:2001'],
  begunAt: '2026-11-21T09:00:00Z',
  sent: {creditLimit: 100000, name: 'Household'},
  before: {creditLimit: 5000},
  undoneBy: 'r_01M81W4TSQRTTRZ8PXSRQAYABY',
}

export const undo = {
  undone: 'r_01M81W4RDVN8NHKS77BDF5KTPH',
  operation: 'accounts.patchCredit.v4',
  resource: 'account:2001',
  fields: [
    {field: 'creditLimit', sent: 100000, current: 100000, former: 5000, from: 'r_01M81W4Q6A5XSPKFMBB1D2NW9Y'},
    {
      field: 'name',
      sent: 'Household',
      current: 'Household',
      former: null,
      from: 'r_01M81W4Q6A5XSPKFMBB1D2NW9Y',
    },
  ],
}

export const historyEntries = [
  {
    at: '2026-11-21T09:00:00Z',
    kind: 'write',
    did: 'change credit account 2001',
    operation: 'accounts.patchCredit.v4',
    resources: ['account:2001'],
    auditUser: 'aino',
    osUser: 'support',
    profile: 'prod',
    state: 'done',
    request: 'r_01M81W4RDVN8NHKS77BDF5KTPH',
    sent: {creditLimit: 100000, name: 'Household'},
    before: {creditLimit: 5000},
    ticket: 'T-1042',
    note: 'The customer asked for it by phone and confirmed it in the app',
  },
  {
    at: '2026-11-20T09:00:00Z',
    kind: 'reveal',
    did: 'show to a person: View PIN',
    operation: 'pin.view.v3',
    resources: ['card:3001', 'plastic:7001'],
    auditUser: 'aino',
    osUser: 'aino',
    profile: 'test',
    state: 'done',
  },
  {
    at: '2026-11-19T09:00:00Z',
    kind: 'write',
    did: 'change fleet account 2001',
    operation: 'accounts.patchFleet.v4',
    resources: ['account:2001'],
    auditUser: 'erik',
    profile: 'prod',
    state: 'refused',
    request: 'r_01M81W4Q6A5XSPKFMBB1D2NW9Y',
    sent: {status: 'ACCOUNT_BLOCKED'},
    said: 'The service refused the request (409): The account is not of type FLEET.',
  },
]

export const found = [
  {kind: 'customer', id: '1001', about: '3 cards', command: 'cardctl cards list --customer 1001 -p prod'},
  {
    kind: 'enrolment',
    id: '1001',
    about: 'enrolled in remote checkout',
    command: 'cardctl remotecheckout get --customer 1001 -p prod',
  },
]
