import process from 'node:process'

/** node:crypto with its first use: it takes 3 ms to load, and reading a card needs none of it. */
export const nodeCrypto = () => process.getBuiltinModule('node:crypto')
