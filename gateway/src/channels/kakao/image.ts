/** The image of a bubble or card: a URL that the upload returned. */
import { Type, type Static } from 'typebox'
import type { Issues } from '../issues.ts'
import { requireValue } from './check.ts'

export const KakaoImage = Type.Object(
  {
    imgUrl: Type.String({ minLength: 1, description: 'Address of an uploaded image' }),
    imgLink: Type.Optional(
      Type.String({ description: 'Address opened by a tap; the image viewer if absent' }),
    ),
  },
  { additionalProperties: false, description: 'Image' },
)

export type KakaoImage = Static<typeof KakaoImage>

/** A field that refers to an uploaded image. */
export interface ImageReference {
  readonly key: string
  readonly path: string
  /** Set for the first item of a wide list, which is displayed larger than the others. */
  readonly first?: true
}

export function checkImage(image: KakaoImage, path: string, issues: Issues): void {
  requireValue(image.imgUrl, 'A513', `${path}.imgUrl`, issues)
}
