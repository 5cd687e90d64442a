/** The metadata of a registered file, and its key. Where the bytes are stored is the concern of a FileStore. */
import { randomLetters, timeDigits } from '../contract/msg-key.ts'
import type { ImageFormat } from './image/image.ts'
import { macLength, type KeyMac } from './key-mac.ts'

export const serviceTypes = ['MMS', 'RCS', 'FRIENDTALK', 'BRANDMESSAGE'] as const
export type ServiceType = (typeof serviceTypes)[number]

export interface FileMetadata {
  readonly key: string
  readonly accountId: number
  readonly serviceType: ServiceType
  /** The kind of image within the service (`FW`, `wideItemList/first`); empty where there is only one. */
  readonly kind: string
  readonly format: ImageFormat
  readonly width: number
  readonly height: number
  readonly bytes: number
  readonly expiresAt: Date
}

const secretLength = 20

/**
 * The UTC time, the letter C, the cell that stores the bytes, and 20 letters that cannot be guessed, the last ten a MAC of
 * the rest: the key alone gives access to the image. A proxy sends the requests of carriers, which have no token, to the
 * cell in the key.
 */
export function createFileKey(now: Date, cell = '00', mac?: Pick<KeyMac, 'of'>): string {
  const start = `${timeDigits(now)}C${cell}`
  if (mac === undefined) return start + randomLetters(secretLength)
  const random = start + randomLetters(secretLength - macLength)
  return random + mac.of(random)
}

export function isFileKey(candidate: string): boolean {
  return /^\d{17}[0-9A-Z]{23}$/.test(candidate)
}
