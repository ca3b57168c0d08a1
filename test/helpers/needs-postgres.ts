import {skipWithoutPostgres} from './store.ts'

skipWithoutPostgres()
