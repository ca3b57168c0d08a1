import {newTzpk, setPin, viewPin} from '../pin/exchange.ts'
import type {Handlers} from './handler.ts'

export const pin: Handlers<'pin'> = {
  'pin.view.v2': (call, {body}) => viewPin(call, 'v2', body),
  'pin.tzpk.v2': (call, {body}) => newTzpk(call, 'v2', body),
  'pin.set.v2': (call, {body}) => setPin(call, body),
  'pin.view.v3': (call, {body}) => viewPin(call, 'v3', body),
  'pin.tzpk.v3': (call, {body}) => newTzpk(call, 'v3', body),
  'pin.set.v3': (call, {body}) => setPin(call, body),
}
