/** The key that sensitive values are sealed with. */
export const SEAL_KEY = 'seal-key'
/** The RSA key that card numbers are enciphered under on their way in. */
export const SERVICE_KEY = 'service-key'

/** Settings that outlive a reset. */
export const KEPT_SETTINGS = [SEAL_KEY, SERVICE_KEY]
