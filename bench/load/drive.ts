/**
 * Closed-loop load on one server: each connection sends its next request after the previous response, and
 * retries a 429 after its Retry-After. Uses raw sockets, because a full HTTP client needs more CPU than the
 * server.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { ResponseReader } from './response.ts'
import type { LoadJob, LoadResult } from './job.ts'
import { Latencies } from './latencies.ts'
import { RequestTemplate } from './request.ts'

const readBytes = 16 * 1024

export async function drive(job: LoadJob): Promise<LoadResult> {
  const latencies = new Latencies()
  const finished = Promise.withResolvers<undefined>()
  let sent = 0
  let accepted = 0
  let refused = 0
  let firstRefusal: string | null = null
  let open = job.connections
  let startedAt = 0
  let endedAt = 0

  function connection(): { socket: Socket; begin: () => void } {
    const request = new RequestTemplate(job.port, job.token, job.send)
    const reader = new ResponseReader()
    let since = 0
    const send = (now: number): void => {
      since = now
      socket.write(request.bytes)
    }
    const next = (now: number): void => {
      if (sent >= job.requests || now - startedAt >= job.milliseconds) {
        socket.destroy()
        if (--open === 0) finished.resolve(undefined)
        return
      }
      request.setNumber(job.firstNumber + sent++)
      send(now)
    }
    const read = (count: number, buffer: Buffer): boolean => {
      const response = reader.read(buffer.toString('latin1', 0, count))
      if (response === null) return true
      const now = performance.now()
      endedAt = now
      if (response.retryAfter !== null) {
        setTimeout(() => send(performance.now()), response.retryAfter * 1000)
        return true
      }
      if (response.accepted) {
        accepted++
        latencies.add(now - since)
      } else {
        refused++
        firstRefusal ??= response.text
      }
      next(now)
      return true
    }
    const socket = connect({
      port: job.port,
      host: '127.0.0.1',
      noDelay: true,
      // Uses one buffer per connection, without a stream.
      onread: {
        buffer: Buffer.allocUnsafe(readBytes),
        callback: (count, bytes) => read(count, bytes as Buffer),
      },
    })
    socket.on('error', finished.reject)
    socket.on('end', () => finished.reject(new Error('server closed the connection')))
    return { socket, begin: () => next(startedAt) }
  }

  const connections = Array.from({ length: job.connections }, connection)
  try {
    await Promise.all(connections.map(({ socket }) => once(socket, 'connect')))
    startedAt = performance.now()
    for (const { begin } of connections) begin()
    await finished.promise
  } finally {
    for (const { socket } of connections) socket.destroy()
  }
  return {
    accepted,
    refused,
    firstRefusal,
    startedAt: performance.timeOrigin + startedAt,
    endedAt: performance.timeOrigin + endedAt,
    p50Ms: latencies.percentile(0.5),
    p99Ms: latencies.percentile(0.99),
  }
}
