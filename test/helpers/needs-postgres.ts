import {skipWithoutPostgres} from '../sandbox/helpers/store.ts'

skipWithoutPostgres()
