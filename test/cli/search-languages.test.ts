// What a desk asks in German, French or Swedish finds what the English words find, by its first result.
import {beforeAll, describe, expect, it} from 'vitest'
import {searched} from '../../src/cli/help/answering.ts'
import {inEnglish} from '../../src/cli/help/other-languages.ts'
import {answerTo, situationIn} from '../../src/cli/help/search.ts'
import type {SearchIndex} from '../../src/cli/help/search-index.ts'
import {openHome} from '../helpers/cli.ts'

let index: SearchIndex
beforeAll(async () => {
  index = (await searched())()
})

function firstOf(question: string): string | undefined {
  const words = question.split(' ')
  return answerTo(words, index, situationIn(words)).ranked[0]?.entry.name
}

const CARD = ['cards get', 'accounts block', 'cards list']
describe.each([
  [
    'block card',
    CARD,
    'sperren; bloquer; spärra; karte gesperrt; Karte sperren; spärra kort; kortspärr; opposition carte; bloquer la carte',
  ],
  ['stolen', CARD, 'carte volée; carte volee; kort stulet; Karte gestohlen; mein Karte wurde gestohlen'],
  ['lost', CARD, 'Karte verloren; carte perdue; tappat kort; borttappat kort'],
  ['block account', ['accounts block'], 'konto sperren; bloquer le compte; spärra kontot'],
  ['unblock', ['accounts unblock'], 'karte entsperren; débloquer la carte; avblockera konto'],
  [
    'pin forgotten',
    ['pin set'],
    'pin vergessen; PIN-Nummer vergessen; code pin oublié; glömt pinkod; Geheimzahl vergessen',
  ],
  [
    'pin blocked',
    ['cards get', 'pin unblock'],
    'pin gesperrt; pin blockiert; code bloqué; fel pinkod; pinkoden spärrad; pinkod blockerad',
  ],
  [
    'transfer',
    ['a2a create'],
    'überweisung; ueberweisung; virement; överföring; Geld überweisen; faire un virement',
  ],
  [
    'recall',
    ['a2a get'],
    'Überweisung zurückholen; rappeler virement; återkalla överföring; falscher Empfänger',
  ],
  ['twice', ['history'], 'doppelt überwiesen; virement en double; dubbel betalning'],
  ['address', ['accounts patch'], "adresse ändern; umzug; changement d'adresse; ny adress; déménagement"],
  [
    'name',
    ['accounts patch'],
    'Name geändert nach Heirat; bytt namn; neuer Nachname; nouveau nom; nytt efternamn; maiden name; married',
  ],
  ['reopen', ['history'], 'Konto wieder öffnen; rouvrir le compte; reopen closed account; reopen account'],
  ['limit', ['accounts limit', 'cards get'], 'limit erhöhen; augmenter le plafond; höja gräns'],
  ['close', ['accounts close'], 'konto schließen; konto auflösen; clôturer le compte; avsluta konto'],
  ['died', ['accounts block'], 'kunde gestorben; client décédé; kund avliden'],
  [
    'overdraft',
    ['cards get', 'sandbox state show'],
    'konto im minus; compte à découvert; övertrasserat konto',
  ],
  ['who', ['history'], 'wer hat das Konto gesperrt; qui a bloqué; vem spärrade kontot'],
  ['expired', ['cards get', 'cards plastics'], 'karte abgelaufen; carte expirée; kort går ut'],
  ['new card', ['cards plastics'], 'neue Karte; nouvelle carte; nytt kort; Ersatzkarte'],
  ['account', ['accounts'], 'konto; compte; kontot'],
  ['amount', ['a2a create'], 'betrag; montant; belopp'],
  ['password', ['profiles edit', 'profiles add'], 'mot de passe; Passwort; lösenord'],
  ['fees', ['accounts patch', 'pricelists period patch'], 'gebühren; frais; avgifter'],
])('%s', (_, names, questions) => {
  it.each(questions.split('; '))('%s', question => {
    expect(names).toContain(firstOf(question))
  })
})

it.each([
  ['report shift', 'Bericht für den Chef; rapport pour le chef; rapport till chefen'],
  [
    'holiday limit',
    'Urlaubslimit; Limit im Urlaub; plafond vacances; plafond pour les vacances; semesterlimit; gräns för semester',
  ],
  ['new phone', 'neues Handy; nouveau téléphone; ny telefon'],
  ['who blocked', 'qui a bloqué ce compte; qui a bloqué; wer hat das Konto gesperrt'],
  ['wrong transfer', 'felaktig överföring; virement erroné; falsche Überweisung'],
  ['unknown effect', 'unknown outcome'],
  ['transfer not arrived', 'did the transfer go through; did my payment go through'],
])('answers as to %s', (english, questions) => {
  const answered = (question: string) => {
    const words = question.split(' ')
    const {ranked, situation} = answerTo(words, index, situationIn(words))
    return [situation?.about, situation === undefined ? ranked[0]?.entry.name : '']
  }
  for (const question of questions.split('; '))
    expect([question, ...answered(question)]).toEqual([question, ...answered(english)])
})

it.each([
  ['limits from excel', ['bulk run', 'bulk.md']],
  ['lower cash limit', ['cards get', 'accounts patch']],
  ['cash limit', ['cards get', 'accounts patch']],
  ['cards that expire', ['cards get', 'cards plastics']],
  ['cards that expire soon', ['cards plastics', 'cards list']],
  ['wrong number', ['requests list', 'requests undo']],
  ['accounts in the red', ['cards get', 'sandbox state show']],
  ['recall transfer', ['a2a get']],
])('%s', (question, names) => {
  expect(names).toContain(firstOf(question))
})

it.each([
  'client certificate',
  'request validation',
  'secret code',
  'on call',
  'transfer in transit',
  'an error on a page',
  'lost in the post',
])('leaves English alone: %s', question => {
  const words = question.split(' ')
  expect(inEnglish(words)).toBe(words)
})

it.each([
  ['sperren', 'a card to block for a while', 'accounts block ID'],
  ['fees', 'fees or interest', 'accounts patch ID'],
  ['überweisung', 'a transfer', 'a2a create --from FILE'],
])('%s is answered with a situation and all its steps', (question, about, last) => {
  const words = question.split(' ')
  const {situation} = answerTo(words, index, situationIn(words))
  expect(situation?.about).toBe(about)
  expect(situation?.steps.map(({words: line}) => line).join()).toContain(last)
})

it('help finds it, and answers in English', async () => {
  const home = await openHome()
  const {stdout, code} = await home.run(['help', '--search', 'karte', 'gesperrt'])
  expect(code).toBe(0)
  expect(stdout).toContain('a card to block for a while')
  await home.remove()
})
