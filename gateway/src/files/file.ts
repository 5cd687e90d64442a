/** A registered file as sends know it, and its key. Knows nothing of where the bytes are. */
import { randomLetters, timeDigits } from '../contract/msg-key.ts'
import type { ImageFormat } from './image/image.ts'

export const serviceTypes = ['MMS', 'RCS', 'FRIENDTALK', 'BRANDMESSAGE'] as const
export type ServiceType = (typeof serviceTypes)[number]

export interface FileMetadata {
  readonly key: string
  readonly accountId: number
  readonly serviceType: ServiceType
  /** Which of the service's images it may be (`FW`, `wideItemList/first`); empty where there is one kind. */
  readonly kind: string
  readonly format: ImageFormat
  readonly width: number
  readonly height: number
  readonly bytes: number
  readonly expiresAt: Date
}

/** The UTC time and 118 bits from the system's random source: who has a key may see the image. */
export function createFileKey(now: Date): string {
  return timeDigits(now) + randomLetters(23)
}

export function isFileKey(candidate: string): boolean {
  return /^\d{17}[0-9A-Z]{23}$/.test(candidate)
}
