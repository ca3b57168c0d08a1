// Generated from openapi.yaml by tools/generate-contract.ts. Not to be edited.
import type {Validators} from '../validator.ts'
export declare const validators: Validators
