/**
 * After a refusal in the middle of an upload: reads on and throws away, for a while. Most clients read the answer
 * only when they have sent everything, so a photo that is too large must be let in to be told so; a client that
 * never stops is cut off.
 */
import type { IncomingMessage } from 'node:http'

export interface DiscardLimits {
  readonly bytes: number
  readonly ms: number
}

export const usualDiscard: DiscardLimits = { bytes: 32 * 1024 * 1024, ms: 5_000 }

export function discardRest(request: IncomingMessage, limits = usualDiscard): void {
  if (request.readableEnded || request.destroyed) return
  let left = limits.bytes
  const timer = setTimeout(() => request.destroy(), limits.ms).unref()
  request.once('close', () => clearTimeout(timer))
  request.unpipe()
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.destroy()
  })
  request.resume()
}
