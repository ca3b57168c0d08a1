/** Certificates and keys of our servers, and CAs of the clients that may connect. All are PEM. */
export {checkPair, readAuthorities} from './given-certificate.ts'
export {makeCertificate} from './self-made-certificate.ts'
