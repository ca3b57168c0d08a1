/** What our servers show of themselves, and of whom they let in: certificates and keys, all PEM. */
export {checkPair, readAuthorities} from './given-certificate.ts'
export {makeCertificate} from './self-made-certificate.ts'
