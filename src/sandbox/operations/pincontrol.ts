import {uuid} from '../ids.ts'
import {CONTROL_MS, forgetControls, refuseInactive} from '../pin/control.ts'
import {notFound} from '../problems.ts'
import {tokenDigest} from '../seal.ts'
import type {Handlers} from './handler.ts'

export const pincontrol: Handlers<'pincontrol'> = {
  'pincontrol.create.v2': async ({tx, now, random, service}, {path: {plasticId}, body: {scope}}) => {
    const plastic = await tx.plastics.get(plasticId)
    if (plastic === undefined) throw notFound('plastic')
    refuseInactive(plastic)
    const id = uuid(random)
    await tx.pinControls.put({
      id: tokenDigest(id),
      plasticId,
      cardId: plastic.cardId,
      scope,
      expiresAt: now + CONTROL_MS,
      used: false,
      tzpk: null,
    })
    await forgetControls(tx, now)
    return {
      id,
      pinURL: `${service.baseUrl}/pages/pin`,
      pinFrameURL: `${service.baseUrl}/pages/pin-frame`,
    }
  },
}
