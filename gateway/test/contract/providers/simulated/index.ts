/**
 * Providers with a simulator. Simulators are written from the documentation, independently of the provider
 * modules.
 */
import type { SimulatedProvider } from '../cases.ts'
import { msghub } from './msghub.ts'
import { nhnKakaoAlimtalk, nhnKakaoBrand, nhnSms } from './nhn.ts'
import { sens, sensKakao } from './sens.ts'
import { solapi } from './solapi.ts'

export const simulated: readonly SimulatedProvider[] = [
  msghub,
  nhnSms,
  nhnKakaoAlimtalk,
  nhnKakaoBrand,
  sens,
  sensKakao,
  solapi,
]
