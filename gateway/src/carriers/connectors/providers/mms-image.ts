import type { ConnectorFile } from '../connector.ts'
import { refused, type ProviderRefusal } from './kit/index.ts'

const maxBytes = 300 * 1_024

/** Checks an MMS image for NHN Cloud and Naver SENS. Returns null if it can be uploaded. */
export function refuseImage(provider: string, { contentType, bytes }: ConnectorFile): ProviderRefusal | null {
  if (contentType !== 'image/jpeg')
    return refused('attachment', `${provider}:image-type`, `${provider} accepts only JPEG images`)
  if (bytes.length > maxBytes)
    return refused('attachment', `${provider}:image-size`, `${provider} accepts images of at most 300 KB`)
  return null
}
