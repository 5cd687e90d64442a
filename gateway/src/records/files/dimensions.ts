/** Checks the dimensions of an image. Ratios are compared in integers: 2:1 is exactly 2:1. */
import type { ParsedImageSize } from './image/image.ts'

export interface AllowedDimensions {
  readonly minWidth?: number
  readonly maxWidth?: number
  readonly minHeight?: number
  readonly maxHeight?: number
  /** Maximum ratio of width to height. */
  readonly widest?: Ratio
  /** Minimum ratio of width to height. */
  readonly tallest?: Ratio
}

export type Ratio = readonly [width: number, height: number]

/** Applies if a service sets no maximum: no channel shows more, and a handset would have to decode it. */
export const maxSide = 4096

/** Returns the first requirement that the size does not meet, or null if it fits. */
export function findDimensionError(allowed: AllowedDimensions, size: ParsedImageSize): string | null {
  const { width, height } = size
  const maxWidth = allowed.maxWidth ?? maxSide
  const maxHeight = allowed.maxHeight ?? maxSide
  if (width < 1 || height < 1) return 'width and height must be at least 1'
  if (allowed.minWidth !== undefined && width < allowed.minWidth)
    return `width must be at least ${allowed.minWidth}`
  if (width > maxWidth) return `width must be at most ${maxWidth}`
  if (allowed.minHeight !== undefined && height < allowed.minHeight)
    return `height must be at least ${allowed.minHeight}`
  if (height > maxHeight) return `height must be at most ${maxHeight}`
  if (allowed.widest !== undefined && width * allowed.widest[1] > height * allowed.widest[0]) {
    return `width:height must be at most ${allowed.widest.join(':')}`
  }
  if (allowed.tallest !== undefined && width * allowed.tallest[1] < height * allowed.tallest[0]) {
    return `width:height must be at least ${allowed.tallest.join(':')}`
  }
  return null
}
