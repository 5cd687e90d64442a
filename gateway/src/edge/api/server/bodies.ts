import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

export interface BodyLimits {
  readonly maxBytes: number
  /** Routes with these prefixes process their bodies as they arrive. */
  readonly streamed?: readonly string[]
}

export const bodyMemoryBytes = 64 * 1024 * 1024
/** Fastify parses no body of these methods; Node.js discards it after the response. */
const methodsWithoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE'])
/** Memory of the object for one chunk, without its content. A body can arrive in chunks of one byte. */
const chunkObjectBytes = 256

/**
 * Limits the memory of request bodies that have not arrived completely: `/inbound` reads a body before it can
 * verify its sender. Above the limit the largest incomplete body loses its connection, so a client that fills the
 * memory loses its own upload before the smaller ones of other clients. New requests are not refused, so slow
 * senders cannot keep others out.
 */
export function limitBodyMemory(server: FastifyInstance, { maxBytes, streamed = [] }: BodyLimits): void {
  /** Bytes received of each incomplete body. */
  const incomplete = new Map<IncomingMessage, number>()
  let total = 0
  const remove = (body: IncomingMessage): void => {
    total -= incomplete.get(body) ?? 0
    incomplete.delete(body)
  }
  server.addHook('preParsing', ({ raw, method, routeOptions: { url } }, _reply, payload, done) => {
    const isStreamed = streamed.some((prefix) => url?.startsWith(prefix) === true)
    if (!isStreamed && !methodsWithoutBody.has(method)) {
      raw.on('data', (chunk: Buffer) => {
        if (raw.destroyed) return
        const bytes = chunk.length + chunkObjectBytes
        incomplete.set(raw, (incomplete.get(raw) ?? 0) + bytes)
        total += bytes
        while (total > maxBytes) {
          const [largest] = [...incomplete].reduce((left, right) => (right[1] > left[1] ? right : left))
          remove(largest)
          largest.destroy()
        }
      })
      raw.once('end', () => remove(raw))
      raw.once('close', () => remove(raw))
    }
    done(null, payload)
  })
}
