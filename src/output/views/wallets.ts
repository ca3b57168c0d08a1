import {handedOut} from './handed-out.ts'

/** What the wallet's app needs to take the card: opaque payloads, handed on whole. */
export const provisioningView = handedOut('Provisioning data for the wallet')
