/** Checks what a message says about its files. Pure. */
import { objectOf, textOf } from '../shared/json-body.ts'

export interface MessageLimits {
  readonly maxCardSuggestions: number
  readonly knownFile: (name: string) => boolean
}

const MAX_URL = 2048

export function isUrl(value: unknown): boolean {
  const url = textOf(value)
  return url.length <= MAX_URL && /^https?:\/\/\S+$/.test(url)
}

/** A file by address, or one that was uploaded. */
export function fileRefusal(
  contentInfo: unknown,
  uploaded: unknown,
  { knownFile }: MessageLimits,
): string | undefined {
  if (contentInfo !== undefined) {
    const { fileUrl, thumbnailUrl } = objectOf(contentInfo)
    if (!isUrl(fileUrl)) return 'contentInfo.fileUrl must be a URL'
    return thumbnailUrl === undefined || isUrl(thumbnailUrl)
      ? undefined
      : 'contentInfo.thumbnailUrl must be a URL'
  }
  const { fileName, thumbnailName } = objectOf(uploaded)
  const names = [fileName, ...(thumbnailName === undefined ? [] : [thumbnailName])]
  return names.every((name) => knownFile(textOf(name))) ? undefined : 'the file was not uploaded'
}
