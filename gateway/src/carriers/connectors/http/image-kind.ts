import type { FileReference } from '../../../channels/channel.ts'

/**
 * Returns the upload kind that a Kakao image needs at a carrier, which validates images by their use. An image for a template
 * can have two kinds: the second one is for the first item of a wide list, which has a different shape.
 */
export function selectImageKind(
  { kinds, path }: Pick<FileReference, 'kinds' | 'path'>,
  standard: string,
): string {
  const [kind = standard, firstItemKind = kind] = kinds ?? []
  return /\[0\]/.test(path) ? firstItemKind : kind
}
