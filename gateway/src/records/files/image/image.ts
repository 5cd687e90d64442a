export const imageFormats = ['jpg', 'png', 'gif', 'bmp'] as const
export type ImageFormat = (typeof imageFormats)[number]

export interface ParsedImageSize {
  readonly width: number
  readonly height: number
}

/** The bytes start like an image but are not a valid one. */
export class BrokenImage extends Error {
  override readonly name = 'BrokenImage'
}

export const contentTypes: Readonly<Record<ImageFormat, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  bmp: 'image/bmp',
}
