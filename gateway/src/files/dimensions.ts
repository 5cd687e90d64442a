/** Which dimensions an image may have. Ratios are compared in integers: 2:1 is exactly 2:1. Pure. */
import type { ImageSize } from './image/image.ts'

export interface Frame {
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

/** Applies where a service sets no maximum: no channel shows more, and a handset would have to decode it. */
export const maxSide = 4096

/** The first requirement that the size does not meet; null when it fits. */
export function misfit(frame: Frame, size: ImageSize): string | null {
  const { width, height } = size
  const maxWidth = frame.maxWidth ?? maxSide
  const maxHeight = frame.maxHeight ?? maxSide
  if (width < 1 || height < 1) return 'width and height must be at least 1'
  if (frame.minWidth !== undefined && width < frame.minWidth)
    return `width must be at least ${frame.minWidth}`
  if (width > maxWidth) return `width must be at most ${maxWidth}`
  if (frame.minHeight !== undefined && height < frame.minHeight)
    return `height must be at least ${frame.minHeight}`
  if (height > maxHeight) return `height must be at most ${maxHeight}`
  if (frame.widest !== undefined && width * frame.widest[1] > height * frame.widest[0]) {
    return `width:height must be at most ${frame.widest.join(':')}`
  }
  if (frame.tallest !== undefined && width * frame.tallest[1] < height * frame.tallest[0]) {
    return `width:height must be at least ${frame.tallest.join(':')}`
  }
  return null
}
