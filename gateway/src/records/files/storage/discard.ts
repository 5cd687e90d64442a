/**
 * Reads and discards the rest of an upload that was refused midway, up to a limit. Most clients read the
 * response only after they have sent everything, so an upload that is too large must be read to the end for
 * its error to arrive. A client that never stops is disconnected.
 */
import type { IncomingMessage } from 'node:http'

export interface DiscardLimits {
  readonly bytes: number
  readonly ms: number
}

export const defaultDiscard: DiscardLimits = { bytes: 32 * 1024 * 1024, ms: 5_000 }

export function discardRest(request: IncomingMessage, limits = defaultDiscard): void {
  if (request.readableEnded || request.destroyed) return
  let remainingBytes = limits.bytes
  const timer = setTimeout(() => request.destroy(), limits.ms).unref()
  request.once('close', () => clearTimeout(timer))
  request.unpipe()
  request.on('data', (chunk: Buffer) => {
    remainingBytes -= chunk.length
    if (remainingBytes < 0) request.destroy()
  })
  request.resume()
}
