import type {Call} from '../call.ts'
import {advanceClock, clockOffset, instant} from '../clock.ts'

export async function showClock({tx, now}: Call) {
  return {now: instant(now), offsetMs: await clockOffset(tx)}
}

export async function moveClock({tx, now}: Call, byMs: number) {
  return {now: instant(now + byMs), offsetMs: await advanceClock(tx, byMs)}
}
