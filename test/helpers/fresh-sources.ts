/** Generates what the sources need and git does not keep. */
export {ensureGenerated as setup} from '../../tools/contract/generated.ts'
