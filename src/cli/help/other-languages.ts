// Words of German, French and Swedish that a desk types, and the English ones of help. Answers stay English.

/** Words that tell nothing, left out of a question that has a word of the same language. */
const BESIDES = new Set(
  `der die das den dem des ein eine einen einem eines ist sind war wurde wird werden hat haben ich wir er sie es man mein meine
  nicht kein keine und oder von vom zu zum zur im am an auf für mit bei ab aus wie wo was kann soll muss bitte
  le la les l un une des du de d au aux est sont a ont été je nous il elle on mon ma mes son sa ses et ou par pour avec sur
  dans en que qui comment où peut doit s n c j ne pas plus
  ett är var har jag vi han hon hans hennes som och eller av på i till från med för om hur kan ska måste inte den det de
  min mitt mina blev blivit bli`.split(/\s+/),
)

/** A line: what people say, as the beginnings of words or as phrases, and what it is in English. */
const WORDS = `
karte geht nicht, karte funktioniert nicht, carte ne marche pas, carte ne fonctionne pas, kortet fungerar inte, kort fungerar inte = card declined
karte abgelehnt, carte refusée, carte refusee, kort nekas, kortet nekas, kort nekat = card declined
karte eingezogen, carte avalée, carte avalee = card swallowed
karte nicht angekommen, karte nicht erhalten, carte pas reçue, carte non reçue, carte pas arrivée, kort inte kommit, kortet har inte kommit, kort ej kommit = card not arrived
karte entsperren, carte débloquer, débloquer carte, debloquer carte, débloquer la carte, avblockera kort, häv spärr = unblock card
karte gesperrt, kartensperre, kartensperrung, karte sperren, sperre karte, opposition carte, carte opposition, faire opposition, opposition, carte bloquée, bloquer carte, bloquer la carte, spärra kort, spärra kortet, spärra mitt kort, kortspärr, kort spärrat, blockera kort, blockera kortet = block card
karte gestohlen, carte volée, carte volee, vol de carte, kort stulet, kortet stulet, stulet kort = stolen card
karte verloren, carte perdue, perte carte, tappat kort, borttappat kort, kort borta, förlorat kort, tappat bort kort, tappat kortet = lost card
karte defekt, karte kaputt, ersatzkarte, neue karte, carte cassée, carte abîmée, nouvelle carte, carte de remplacement, nytt kort, trasigt kort, ersättningskort, kort trasigt = new card
karte abgelaufen, karte läuft ab, carte expirée, carte expiree, kort går ut, kort utgånget, kortet har gått ut = expired card
pin vergessen, pin-nummer vergessen, geheimzahl vergessen, code oublié, code oublie, pin oublié, code pin oublié, code secret oublié, glömt pin, glömt koden, glömt pinkod, pinkod glömd, glömt pin-kod = forgotten pin
pin gesperrt, pin blockiert, pinkod spärrad, pinkoden spärrad, pin-koden spärrad, pinkod blockerad, pinkoden blockerad, pin blockerad, pin falsch, falsche pin, code bloqué, code pin bloqué, code pin faux, pin spärrad, fel pin, fel pinkod, spärrad pin = pin blocked
neue pin, pin ändern, nouveau code, changer code, ny pin, ny pinkod, byta pin = new pin
mot de passe, passwort, kennwort, lösenord = password
konto sperren, konto gesperrt, kontosperre, bloquer compte, bloquer le compte, compte bloqué, spärra konto, spärra kontot, konto spärrat = block account
konto entsperren, débloquer compte, débloquer le compte, avblockera konto = unblock account
konto schliessen, konto schließen, konto kündigen, konto auflösen, kontoauflösung, fermer compte, fermer le compte, clôturer compte, clôture compte, clôturer le compte, avsluta konto, stänga konto, avsluta kontot = close account
neues konto, konto eröffnen, ouvrir compte, ouvrir un compte, nouveau compte, öppna konto, nytt konto = new account
konto wieder öffnen, geschlossenes konto, konto reaktivieren, rouvrir compte, rouvrir le compte, öppna konto igen, öppna stängt konto = reopen account
konto überzogen, konto im minus, kontoüberziehung, überziehung, compte à découvert, découvert, compte débiteur, konto övertrasserat, övertrassering, konto minus, övertrasserat = overdraft
limit erhöhen, rahmen erhöhen, kreditrahmen erhöhen, kartenlimit erhöhen, augmenter plafond, augmenter le plafond, augmenter limite, relever plafond, höja gräns, höj gräns, höja limit, höja kreditgräns, öka gräns = raise limit
urlaubslimit, ferienlimit, limit urlaub, limit ferien, plafond vacances, limite vacances, semesterlimit, semestergräns, gräns semester, limit semester = holiday limit
limit senken, limit herabsetzen, baisser plafond, réduire plafond, sänka gräns, sänka limit, sänk gräns = lower limit
kreditlimit, kreditrahmen, kreditlinie, plafond de crédit, limite de crédit, kreditgräns, kreditlimit = credit limit
tageslimit, dagsgräns, plafond journalier = daily limit
bargeldlimit, plafond de retrait, uttagsgräns, kontantgräns = cash limit
falsches konto, falscher empfänger, an falsches konto, mauvais compte, mauvais destinataire, fel konto, fel mottagare = wrong account
falsche überweisung, fehlüberweisung, virement erroné, mauvais virement, felaktig överföring, fel överföring, felaktig betalning = wrong transfer
überweisung zurückholen, überweisung zurückrufen, überweisung stornieren, überweisung rückgängig, rappeler virement, annuler virement, annuler un virement, återkalla överföring, återkalla betalning, ångra överföring = recall transfer
überweisung nicht angekommen, geld nicht angekommen, virement pas arrivé, virement non reçu, överföring inte kommit, pengar inte kommit = transfer not arrived
überweisung doppelt, doppelt überwiesen, doppelt gebucht, virement en double, virement double, dubbel överföring, betalat dubbelt, dubbel betalning = transfer twice
dauerauftrag, virement permanent, stående överföring, autogiro = standing order
geld überweisen, geld senden, faire un virement, envoyer argent, skicka pengar, överföra pengar, föra över pengar = transfer money
überweisung, überweisen, überweisungen, virement, virements, överföring, överföringar = make transfer
adresse ändern, adressänderung, neue adresse, umzug, umgezogen, changement d'adresse, changer adresse, changer d'adresse, nouvelle adresse, déménagement, déménagé, adressändring, ny adress, ändra adress, flyttat, byta adress = change address
name ändern, name geändert, namensänderung, neuer name, neuer nachname, nachname, geheiratet, heirat, mädchenname, geburtsname, changement de nom, changer nom, changer de nom, nouveau nom, nom de jeune fille, nom de famille, mariage, mariée, marié, namnbyte, nytt namn, byta namn, bytt namn, namnändring, efternamn, nytt efternamn, flicknamn, gift sig = change name
kunde gestorben, verstorben, todesfall, gestorben, décédé, decede, décès, avliden, dödsfall, avlidit = customer died
gebühren, gebühr, frais, tarifs, avgifter, avgift = fees
preisliste, grille tarifaire, liste de prix, prislista = price list
handy verloren, telefon verloren, téléphone perdu, téléphone volé, tappat telefon, tappat mobil, telefon stulen = phone lost
neues handy, neues telefon, nouveau téléphone, nouveau portable, ny telefon, ny mobil, nytt mobilnummer = new phone
handy, mobil, telefon, téléphone = phone
letzte vier, letzte ziffern, quatre derniers chiffres, derniers chiffres, sista fyra, sista siffrorna = last four digits
wer hat gesperrt, wer hat das konto gesperrt, qui a bloqué, qui a bloqué ce compte, qui a bloqué le compte, vem spärrade, vem har spärrat = who blocked
umsätze, umsatz, kontobewegungen, transactions du compte, opérations du compte, transaktioner, kontoutdrag, kontoauszug, relevé de compte = transactions
rückerstattung, gutschrift, remboursement, återbetalning = refund
reklamation, contestation, reklamera = chargeback
betrug, missbrauch, fraude, bedrägeri = fraud
ausland, im ausland, à l'étranger, étranger, utomlands, utlandet = abroad
freigeben, freigabe, genehmigen, approuver, godkänna, godkännande, attestera = approve
ablehnen, refuser, rejeter, avslå, avvisa = reject
rückgängig, rückgängig machen, annuler, ångra = undo
schichtbericht, bericht für den chef, bericht, rapport de poste, rapport pour le chef, skiftrapport, rapport till chefen, rapport = report shift
suchen, chercher, rechercher, söka, sök = search
tabelle, excel-datei, exceldatei, tableur, fichier excel, kalkylblad, excelfil = spreadsheet
zahlungsdatei, sammelüberweisung, fichier de virements, betalfil, betalningsfil = file of transfers
sperren, gesperrt, sperre, sperrung, bloquer, bloqué, bloquée, spärra, spärrad, spärrat, spärr, blockera = block
entsperren, débloquer, avblockera = unblock
gestohlen, volé, volée, stulen, stulet = stolen
verloren, perdu, perdue, tappat, förlorat, borttappat = lost
vergessen, oublié, oubliée, glömt, glömd = forgotten
karte, karten, carte, cartes, kort, kortet = card
konto, konten, kontot, konton, compte, comptes = account
kunde, kundin, kunden, cliente, kund, kunder = customer
betrag, beträge, summe, montant, belopp, summa = amount
grenze, plafond, gräns, limite = limit
zahlung, zahlungen, paiement, paiements, betalning, betalningar = payment
ändern, changer, modifier, ändra, byta = change
erhöhen, augmenter, höja, öka = raise
senken, baisser, réduire, sänka = lower
schliessen, schließen, kündigen, fermer, clôturer, avsluta, stänga = close
adresse, adressen, adress = address
geheimzahl, pinkod, pin-kod = pin
falsch, falsche, falscher, falsches, faux, fausse, mauvais, mauvaise, fel = wrong
abgelehnt, refusé, refusée, nekad, nekat = declined
fehlgeschlagen, échoué, echoue, misslyckades, misslyckad = failed
guthaben, kontostand, saldo, solde = balance
buchung, bokning = booking
geld, argent, pengar = money
`

/** The same without marks, as many type it: `ueberweisung` and `uberweisung` are `überweisung`. */
const plain = (text: string): string =>
  text.toLowerCase().replaceAll('ß', 'ss').replaceAll(/[’']/g, ' ').normalize('NFD').replaceAll(/\p{M}/gu, '')

const umlauts = (text: string): string =>
  text.toLowerCase().replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue').replaceAll('ß', 'ss')

interface Said {
  readonly words: readonly string[]
  readonly english: string
}

let read: readonly Said[] | undefined

/** The longest first. */
function saidWords(): readonly Said[] {
  read ??= WORDS.trim()
    .split('\n')
    .flatMap(line => {
      const [said = '', english = ''] = line.split(' = ')
      return said.split(', ').flatMap(phrase =>
        [...new Set([plain(phrase), plain(umlauts(phrase))])].map(text => ({
          words: telling(text.split(/\s+/)),
          english,
        })),
      )
    })
    .filter(({words}) => words.length > 0)
    .toSorted((a, b) => b.words.length - a.words.length)
  return read
}

const beside = new Set([...BESIDES].map(plain))
/** Who did something is another question than how it is done. */
const ASKS = 'qui'

function telling(words: readonly string[]): readonly string[] {
  const left = words.filter((word, at) => !beside.has(word) || (at === 0 && word === ASKS))
  return left.length === 0 ? words : left
}

/** A question in English, if it has a word of another language; the same words otherwise. */
export function inEnglish(words: readonly string[]): readonly string[] {
  const typed = words.flatMap(word => word.split(/\s+/)).filter(word => word !== '')
  const bare = typed.map(word => plain(word).replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
  const split = bare.flatMap(word => word.split(/\s+/))
  const asked = new Set(telling(split))
  const found: Said[] = []
  const left = new Set(asked)
  for (const one of saidWords()) {
    if (!one.words.every(word => asked.has(word)) || !one.words.some(word => left.has(word))) continue
    found.push(one)
    for (const word of one.words) left.delete(word)
  }
  if (found.length === 0) return words
  const others = [...left].filter(word => !beside.has(word))
  const english = [...new Set([...found.flatMap(({english}) => english.split(' ')), ...others])]
  // Alone, it is said of cards.
  return english.join(' ') === 'block' ? ['block', 'card'] : english
}
