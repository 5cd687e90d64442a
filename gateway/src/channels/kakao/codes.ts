/**
 * Result codes of shape errors in Kakao bodies, by path without indexes. `pipeline/accept/shape.ts` finds the code of an
 * error's path.
 */
import type { FieldCodes } from '../../contract/result-codes.ts'
import { fallbackCodes } from './fallback.ts'

const buttonCodes = (path: string): FieldCodes => ({
  [path]: 'A503',
  [`${path}.type`]: 'A524',
  [`${path}.name`]: 'A525',
})

/** Codes of the fields of every Kakao channel. */
export const commonCodes: FieldCodes = {
  senderKey: 'A502',
  msgType: 'A523',
  to: 'A306',
  text: 'A303',
  ref: 'A305',
  attachment: 'A573',
  ...buttonCodes('button'),
  ...buttonCodes('attachment.button'),
  ...fallbackCodes,
}

/** Codes of the fields of friendtalk and brandmessage. */
export const bubbleCodes: FieldCodes = {
  ...commonCodes,
  imgUrl: 'A513',
  header: 'A565',
  adFlag: 'A506',
  adult: 'A569',
  'attachment.image': 'A513',
  'attachment.image.imgUrl': 'A513',
  'attachment.item': 'A521',
  'attachment.item.list': 'A521',
  carousel: 'A567',
  'carousel.list.attachment': 'A573',
  'carousel.list.attachment.image': 'A513',
  'carousel.list.attachment.image.imgUrl': 'A513',
  ...buttonCodes('carousel.list.attachment.button'),
}
