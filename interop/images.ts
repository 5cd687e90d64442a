/** Creates the images that the drivers upload, one for each service. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeJpeg } from '../gateway/test/support/files/images.ts'

const sizes: Readonly<Record<string, readonly [width: number, height: number]>> = {
  'mms.jpg': [640, 480],
  'rcs.jpg': [568, 528],
  'rcs-card.jpg': [696, 504],
  'image.jpg': [800, 400],
  'wide.jpg': [800, 600],
  'square.jpg': [500, 500],
}

export function writeImages(directory: string): void {
  mkdirSync(directory, { recursive: true })
  for (const [name, [width, height]] of Object.entries(sizes)) {
    writeFileSync(join(directory, name), makeJpeg(width, height, 20_000))
  }
}
