/** Checks the file references of a message. */
import { toObject, toText } from '../shared/json-body.ts'

export interface MessageLimits {
  readonly maxCardSuggestions: number
  readonly isKnownFile: (name: string) => boolean
}

const MAX_URL = 2048

export function isUrl(value: unknown): boolean {
  const url = toText(value)
  return url.length <= MAX_URL && /^https?:\/\/\S+$/.test(url)
}

/** Checks a file referenced by URL or uploaded. */
export function fileRefusal(
  contentInfo: unknown,
  uploaded: unknown,
  { isKnownFile }: MessageLimits,
): string | undefined {
  if (contentInfo !== undefined) {
    const { fileUrl, thumbnailUrl } = toObject(contentInfo)
    if (!isUrl(fileUrl)) return 'contentInfo.fileUrl must be a URL'
    return thumbnailUrl === undefined || isUrl(thumbnailUrl)
      ? undefined
      : 'contentInfo.thumbnailUrl must be a URL'
  }
  const { fileName, thumbnailName } = toObject(uploaded)
  const names = [fileName, ...(thumbnailName === undefined ? [] : [thumbnailName])]
  return names.every((name) => isKnownFile(toText(name))) ? undefined : 'file not found; upload it first'
}
