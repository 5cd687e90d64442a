import type { FileReference } from '../../../channels/channel.ts'

/**
 * Returns the upload kind that a Kakao image needs at a carrier, which validates images by their use. Two kinds in a field
 * mean a template image: the first item of a wide list has a different shape.
 */
export function selectImageKind(
  { kinds, path }: Pick<FileReference, 'kinds' | 'path'>,
  standard: string,
): string {
  const [usual = standard, ofFirst = usual] = kinds ?? []
  return /\[0\]/.test(path) ? ofFirst : usual
}
