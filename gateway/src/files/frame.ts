/** Which sizes an image may have. Ratios are compared in whole numbers: 2:1 is exactly 2:1. */
import type { ImageSize } from './image/image.ts'

export interface Frame {
  readonly minWidth?: number
  readonly maxWidth?: number
  readonly minHeight?: number
  readonly maxHeight?: number
  /** Width to height at most. */
  readonly widest?: Ratio
  /** Width to height at least. */
  readonly tallest?: Ratio
}

export type Ratio = readonly [width: number, height: number]

/** Where a service sets no upper bound: no channel shows more, and a handset would have to unpack it. */
export const maxSide = 4096

/** What the frame asks for and the size does not give; null when it fits. */
export function misfit(frame: Frame, size: ImageSize): string | null {
  const { width, height } = size
  const maxWidth = frame.maxWidth ?? maxSide
  const maxHeight = frame.maxHeight ?? maxSide
  if (width < 1 || height < 1) return 'width and height at least 1'
  if (frame.minWidth !== undefined && width < frame.minWidth) return `width at least ${frame.minWidth}`
  if (width > maxWidth) return `width at most ${maxWidth}`
  if (frame.minHeight !== undefined && height < frame.minHeight) return `height at least ${frame.minHeight}`
  if (height > maxHeight) return `height at most ${maxHeight}`
  if (frame.widest !== undefined && width * frame.widest[1] > height * frame.widest[0]) {
    return `width:height at most ${frame.widest.join(':')}`
  }
  if (frame.tallest !== undefined && width * frame.tallest[1] < height * frame.tallest[0]) {
    return `width:height at least ${frame.tallest.join(':')}`
  }
  return null
}
