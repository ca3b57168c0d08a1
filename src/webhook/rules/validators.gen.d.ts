// Generated from schema.json by tools/generate-contract.ts. Not to be edited.
import type {Validators} from '../../contract/validator.ts'
export declare const validators: Validators
