import type {Customer} from '../state/customer.ts'

export const demoCustomers: readonly Customer[] = [
  {
    id: '1001',
    firstName: 'Aino',
    middleName: null,
    lastName: 'Virtanen',
    countryCode: 'FIN',
    locale: 'fi-FI',
  },
  {
    id: '1002',
    firstName: 'Erik',
    middleName: 'Johan',
    lastName: 'Lindqvist',
    countryCode: 'SWE',
    locale: 'sv-SE',
  },
  {
    id: '1003',
    firstName: 'Marja',
    middleName: null,
    lastName: 'Korhonen',
    countryCode: 'FIN',
    locale: 'fi-FI',
  },
]
