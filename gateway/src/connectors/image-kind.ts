/** The kind of upload that a Kakao image needs at a carrier, which checks an image for its place. Pure. */
import type { FileReference } from '../channels/channel.ts'

/** A field that allows two kinds is an image of a template: the first one of a wide list has another shape. */
export function imageKindOf(
  { kinds, path }: Pick<FileReference, 'kinds' | 'path'>,
  standard: string,
): string {
  const [usual = standard, ofFirst = usual] = kinds ?? []
  return /\[0\]/.test(path) ? ofFirst : usual
}
