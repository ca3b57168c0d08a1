/**
 * Characters that the card network refuses in an address. The service accepts them; the refusal comes later, in the
 * status. So the contract has no pattern for them.
 */
export const REFUSED_CHARACTERS = /[[\]{}:&$^!=;*#<>"@`]/
