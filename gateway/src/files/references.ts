/** How a request refers to a file: by its key, as RCS media, or by the URL of its image. */
import { isFileKey, type ServiceType } from './file.ts'

const mediaScheme = 'maapfile://'

export function mediaOf(key: string): string {
  return mediaScheme + key
}

/** Null when the media does not refer to a file of this gateway. */
export function keyOfMedia(media: string): string | null {
  return media.startsWith(mediaScheme) ? keyOrNull(media.slice(mediaScheme.length)) : null
}

export function imgUrlOf(publicFileBase: string, key: string): string {
  return folderOf(publicFileBase) + key
}

/** Null when the URL does not refer to a file of this gateway. */
export function keyOfImgUrl(publicFileBase: string, imgUrl: string): string | null {
  const folder = folderOf(publicFileBase)
  return imgUrl.startsWith(folder) ? keyOrNull(imgUrl.slice(folder.length)) : null
}

/** `carrier`: only the carrier knows it. `malformed`: nothing can be found by it. */
export type Reference = { readonly key: string } | 'carrier' | 'malformed'

/** Ids that the carriers give to files of a brand that were uploaded to them. */
const carrierMedia = /^maapfile:\/\/BR\.[\w.-]{1,100}$/

/** What a field of this service refers to. The key may be of no file. */
export function readReference(serviceType: ServiceType, publicFileBase: string, text: string): Reference {
  switch (serviceType) {
    case 'MMS':
      return { key: text }
    case 'RCS':
      return carrierMedia.test(text) ? 'carrier' : { key: text.slice(mediaScheme.length) }
    case 'FRIENDTALK':
    case 'BRANDMESSAGE': {
      const folder = folderOf(publicFileBase)
      if (text.startsWith(folder)) return { key: text.slice(folder.length) }
      if (isFileKey(text)) return { key: text }
      return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? 'carrier' : 'malformed'
    }
  }
}

function folderOf(publicFileBase: string): string {
  return publicFileBase.endsWith('/') ? publicFileBase : `${publicFileBase}/`
}

function keyOrNull(candidate: string): string | null {
  return isFileKey(candidate) ? candidate : null
}
