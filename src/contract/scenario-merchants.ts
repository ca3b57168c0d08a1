/** Made-up merchants for scenarios; no real merchant has these names or ids. */
const helsinki = {
  city: 'Helsinki',
  country: 'FIN',
  merchantZipCode: '00100',
  acquirerId: '400001',
  acquirerCountry: 'FIN',
}

export const coffee = {
  ...helsinki,
  id: '000000000000101',
  name: 'Kahvila Aino',
  category: {code: '5814', description: 'Fast food restaurants'},
  terminalId: '10000101',
}
export const cashMachine = {
  ...helsinki,
  id: '000000000000102',
  name: 'ATM Helsinki',
  category: {code: '6011', description: 'Cash machines'},
  terminalId: '10000102',
}
export const shop = {
  ...helsinki,
  id: '000000000000103',
  name: 'Verkkokauppa Esimerkki',
  category: {code: '5732', description: 'Electronics'},
  terminalId: '10000103',
}
export const subscription = {
  ...helsinki,
  id: '000000000000104',
  name: 'Musiikki Esimerkki',
  category: {code: '5815', description: 'Digital media'},
  terminalId: '10000104',
}
export const hotel = {
  id: '000000000000105',
  name: 'Hotel Oslo',
  city: 'Oslo',
  country: 'NOR',
  merchantZipCode: '0150',
  category: {code: '7011', description: 'Hotels'},
  terminalId: '10000105',
  acquirerId: '400002',
  acquirerCountry: 'NOR',
}
export const fuelPump = {
  ...helsinki,
  id: '000000000000106',
  name: 'Fuel pump',
  category: {code: '5542', description: 'Automated fuel dispensers'},
  terminalId: '10000106',
}
export const moneyTransfer = {
  ...helsinki,
  id: '000000000000107',
  name: 'Lompakko Esimerkki',
  category: {code: '4829', description: 'Money transfer'},
  terminalId: '10000107',
}
export const casino = {
  ...helsinki,
  id: '000000000000108',
  name: 'Casino Esimerkki',
  category: {code: '7995', description: 'Gambling'},
  terminalId: '10000108',
}
export const bank = {
  ...helsinki,
  id: '000000000000109',
  name: 'Pankki Esimerkki',
  category: {code: '6010', description: 'Cash at a counter'},
  terminalId: '10000109',
}
