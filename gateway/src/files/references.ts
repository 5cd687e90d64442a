/** How a request refers to a file: by its key, as RCS media, or by the URL of its image. */
import { isFileKey } from './file.ts'

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

function folderOf(publicFileBase: string): string {
  return publicFileBase.endsWith('/') ? publicFileBase : `${publicFileBase}/`
}

function keyOrNull(candidate: string): string | null {
  return isFileKey(candidate) ? candidate : null
}
