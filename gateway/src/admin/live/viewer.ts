/**
 * One open stream of server-sent events. It buffers at most one event: while the reader is behind, events are
 * skipped, because each replaces the previous one. A reader that consumes nothing for too long is
 * disconnected.
 */
import type { ServerResponse } from 'node:http'
import type { AdminCode } from '../../operations/codes.ts'

/** Throws if the operator is no longer allowed to watch. */
export type CheckViewer = () => Promise<unknown>

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // nginx would buffer events otherwise.
  'x-accel-buffering': 'no',
  // Close the connection with the stream, so that stopping the process does not wait for it.
  connection: 'close',
}
/** Delay before a browser reconnects. */
const retryMs = 2_000

export class Viewer {
  readonly operator: string
  readonly check: CheckViewer
  /** Time of the last successful `check`. */
  checkedAt = performance.now()
  readonly #response: ServerResponse
  #sentAt = performance.now()
  /** Time since which an event waits for the reader. */
  #blockedSince: number | undefined

  constructor(response: ServerResponse, operator: string, check: CheckViewer, requestId: string) {
    this.operator = operator
    this.check = check
    this.#response = response
    // A broken connection is closed; `close` notifies the feed.
    response.on('error', () => undefined)
    response.writeHead(200, { ...headers, 'request-id': requestId })
    response.write(`retry: ${retryMs}\n\n`)
  }

  onClose(listener: () => void): void {
    if (this.#response.destroyed) listener()
    else this.#response.once('close', listener)
  }

  /** Returns false if the reader consumed nothing for `maxBlockedMs` and was disconnected. */
  send(text: string, maxBlockedMs: number): boolean {
    const now = performance.now()
    if (this.#response.writableLength > 0) {
      this.#blockedSince ??= now
      if (now - this.#blockedSince < maxBlockedMs) return true
      this.#response.destroy()
      return false
    }
    this.#blockedSince = undefined
    this.#sentAt = now
    this.#response.write(text)
    return true
  }

  /** Sends a comment, which keeps proxies from closing an idle connection. */
  keepAlive(afterMs: number, maxBlockedMs: number): void {
    if (performance.now() - this.#sentAt >= afterMs) this.send(': alive\n\n', maxBlockedMs)
  }

  /** Sends a last event with the reason, then ends the stream. */
  end(code: AdminCode | 'stopping', detail: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return
    this.#response.end(formatEvent('end', { code, detail }))
    // Data not consumed by then is dropped.
    setTimeout(() => this.#response.destroy(), 1_000).unref()
  }
}

export function formatEvent(event: string, data: unknown, id?: string): string {
  // JSON.stringify writes no line breaks, so one `data` line holds all of it.
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    `event: ${event}`,
    `data: ${JSON.stringify(data)}`,
  ]
  return `${lines.join('\n')}\n\n`
}
