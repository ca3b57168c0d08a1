/** Commands don't import profiles; this is their way to its pure parts. */
export {whoami} from '../../../profiles/index.ts'
