/**
 * A made-up card number for a demo card: 16 digits with a Luhn check digit (ISO/IEC 7812-1). It starts with 9, which is
 * left to national standards bodies, so it is nobody's card.
 */
export function testCardNumber(cardId: string): string {
  const payload = `999999${cardId.padStart(9, '0')}`
  return payload + luhnDigit(payload)
}

function luhnDigit(payload: string): string {
  const digits = [...payload].reverse().map(Number)
  const sum = digits.reduce((total, digit, index) => {
    const weighted = index % 2 === 0 ? digit * 2 : digit
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return String((10 - (sum % 10)) % 10)
}
