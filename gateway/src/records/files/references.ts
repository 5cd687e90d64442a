/** The forms in which a request refers to a file: its key, RCS media, or the URL of its image. */
import type { ServiceType } from './file.ts'
import { isFileKey } from '../../contract/file-key.ts'

const mediaScheme = 'maapfile://'

export function toMedia(key: string): string {
  return mediaScheme + key
}

/** Returns null if the media does not refer to a file of this gateway. */
export function parseMediaKey(media: string): string | null {
  return media.startsWith(mediaScheme) ? keyOrNull(media.slice(mediaScheme.length)) : null
}

export function toImgUrl(publicFileUrl: string, key: string): string {
  return contentUrl(publicFileUrl) + key
}

/** Returns null if the URL does not refer to a file of this gateway. */
export function parseImgUrlKey(publicFileUrl: string, imgUrl: string): string | null {
  const prefix = contentUrl(publicFileUrl)
  return imgUrl.startsWith(prefix) ? keyOrNull(imgUrl.slice(prefix.length)) : null
}

/** `carrier`: only the carrier knows the file. `malformed`: the text cannot refer to a file. */
export type FileReferenceTarget = { readonly key: string } | 'carrier' | 'malformed'

/** Matches the IDs that carriers assign to files of a brand that were uploaded to them. */
const carrierMedia = /^maapfile:\/\/BR\.[\w.-]{1,100}$/

/** Parses the file reference in a field of this service. A file with that key need not exist. */
export function parseFileReference(
  serviceType: ServiceType,
  publicFileUrl: string,
  text: string,
): FileReferenceTarget {
  switch (serviceType) {
    case 'MMS':
      return { key: text }
    case 'RCS':
      return carrierMedia.test(text) ? 'carrier' : { key: text.slice(mediaScheme.length) }
    case 'FRIENDTALK':
    case 'BRANDMESSAGE': {
      const prefix = contentUrl(publicFileUrl)
      if (text.startsWith(prefix)) return { key: text.slice(prefix.length) }
      if (isFileKey(text)) return { key: text }
      return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? 'carrier' : 'malformed'
    }
  }
}

function contentUrl(publicFileUrl: string): string {
  return publicFileUrl.endsWith('/') ? publicFileUrl : `${publicFileUrl}/`
}

function keyOrNull(candidate: string): string | null {
  return isFileKey(candidate) ? candidate : null
}
