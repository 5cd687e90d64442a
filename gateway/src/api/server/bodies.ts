/**
 * Limits the memory of request bodies that have not arrived completely: a body is read before `/inbound` can verify its
 * sender. Above the limit the oldest incomplete body loses its connection. Bodies of working clients arrive within moments, so slow senders
 * cannot keep them out, as they could if new requests were refused.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

export interface BodyLimits {
  readonly maxBytes: number
  /** Paths with this prefix write their bodies to disk as they arrive. */
  readonly streamed?: string
}

export const bodyMemoryBytes = 64 * 1024 * 1024
/** Memory of the object that holds one chunk, without its content. A body can arrive in chunks of one byte. */
const chunkObjectBytes = 256

export function boundBodies(server: FastifyInstance, { maxBytes, streamed }: BodyLimits): void {
  /** Bytes received of each incomplete body, oldest first. */
  const incomplete = new Map<IncomingMessage, number>()
  let total = 0
  const remove = (body: IncomingMessage): void => {
    total -= incomplete.get(body) ?? 0
    incomplete.delete(body)
  }
  server.addHook('preParsing', ({ raw, routeOptions: { url } }, _reply, payload, done) => {
    if (streamed === undefined || url?.startsWith(streamed) !== true) {
      raw.on('data', (chunk: Buffer) => {
        if (raw.destroyed) return
        const bytes = chunk.length + chunkObjectBytes
        incomplete.set(raw, (incomplete.get(raw) ?? 0) + bytes)
        total += bytes
        while (total > maxBytes) {
          const [oldest] = incomplete.keys()
          remove(oldest!)
          oldest!.destroy()
        }
      })
      raw.once('end', () => remove(raw))
      raw.once('close', () => remove(raw))
    }
    done(null, payload)
  })
}
