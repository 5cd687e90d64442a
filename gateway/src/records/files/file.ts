/** The metadata of a registered file, and its key. A FileStore holds the bytes. */
import { randomLetters, timeDigits } from '../../contract/msg-key.ts'
import type { ImageFormat } from './image/image.ts'
import { macLength, type KeyMac } from './key-mac.ts'

export const serviceTypes = ['MMS', 'RCS', 'FRIENDTALK', 'BRANDMESSAGE'] as const
export type ServiceType = (typeof serviceTypes)[number]

export interface FileMetadata {
  readonly key: string
  readonly accountId: number
  readonly serviceType: ServiceType
  /** The kind of image within the service (`FW`, `wideItemList/first`); empty if there is only one. */
  readonly kind: string
  readonly format: ImageFormat
  readonly width: number
  readonly height: number
  readonly bytes: number
  readonly expiresAt: Date
}

const secretLength = 20

/**
 * Creates a key: the UTC time, the letter C, the cell that stores the bytes, and 20 letters, because the key is the
 * only credential for the image. The letters are random; with `mac`, the last ten are a MAC of the rest. A proxy
 * sends the requests of carriers, which have no token, to the cell in the key.
 */
export function createFileKey(now: Date, cell = '00', mac?: Pick<KeyMac, 'of'>): string {
  const start = `${timeDigits(now)}C${cell}`
  if (mac === undefined) return start + randomLetters(secretLength)
  const random = start + randomLetters(secretLength - macLength)
  return random + mac.of(random)
}
