/** The providers with a simulator, which was written from the provider's documentation separately from the module. */
import type { SimulatedProvider } from '../cases.ts'
import { msghub } from './msghub.ts'
import { nhn, nhnAlimtalk, nhnBrand } from './nhn.ts'
import { sens, sensKakao } from './sens.ts'
import { solapi } from './solapi.ts'

export const simulated: readonly SimulatedProvider[] = [
  msghub,
  nhn,
  nhnAlimtalk,
  nhnBrand,
  sens,
  sensKakao,
  solapi,
]
