/** The images that NHN Cloud and Naver SENS take for an MMS. */
import type { ConnectorFile } from '../connector.ts'
import { refused, type Refusal } from './kit/index.ts'

const maxBytes = 300 * 1_024

/** Returns null for an image that can be uploaded. */
export function refuseImage(provider: string, { contentType, bytes }: ConnectorFile): Refusal | null {
  if (contentType !== 'image/jpeg')
    return refused('attachment', `${provider}:image-type`, `${provider} takes only JPEG images`)
  if (bytes.length > maxBytes)
    return refused('attachment', `${provider}:image-size`, `${provider} takes images of at most 300 KB`)
  return null
}
