import {nameWords} from './secret-names.ts'

/**
 * Names of personal data that the law protects: national and tax ids, passports, dates of birth, numbers of bank accounts.
 * Shown to the person who asks for them, but not kept in journals and logs.
 */
const PERSONAL =
  /\b(?:ssn|itin|nino|sin number|social security|social insurance|national (?:id|identifier|identity|insurance)|government (?:id|identifier|issued)|tax ?(?:id|payer|payer id|number|identification)|tin|passport|(?:id|identity) (?:card|document)|(?<!\b(?:bank|program|vehicle|device|product|merchant|terminal) )identification (?:number|value)|id (?:number|document)|driver ?s? licen[cs]e|licen[cs]e number|date of birth|birth ?date|dob|day of birth|birth ?day|account number|iban|bban|routing number|personal ?code|personnummer|henkilotunnus|hetu|cpf|bvn|aadhaar)\b|^sin$/

/** Protected so strictly that a command line, which other processes see, may not have it. */
const BY_LAW =
  /\b(?:ssn|itin|nino|social security|social insurance|national (?:id|identifier|identity|insurance)|government (?:id|identifier)|tax ?(?:id|payer|number|identification)|tin|passport|personal ?code|personnummer|henkilotunnus|hetu|cpf|bvn|aadhaar)\b|^sin$/

/** Words that only describe it: its kind, its state. */
const TELLS_OF_IT =
  /\b(?:type|status|state|country|verified|verification|last4|last four|last \w*|masked|suffix|prefixe|prefix|format|expiry|expires|expiration|expir(?:y|ation) date|issue date|issuer|source|required|provided|match|result|hash|token|ref|reference|set by|wage|tip|amount|withheld)s?$/

/** Whether a field with this name tells something about a person that is protected by law. */
export function isPersonalName(name: string): boolean {
  const words = nameWords(name).join(' ')
  return PERSONAL.test(words) && !TELLS_OF_IT.test(words)
}

/** Whether such a field may not be given on a command line. */
export function isPersonalByLaw(name: string): boolean {
  const words = nameWords(name).join(' ')
  return BY_LAW.test(words) && !TELLS_OF_IT.test(words)
}
