/**
 * One open stream of server-sent events. It holds at most one event that its reader has not taken: an event that comes meanwhile is left
 * out, because the next one replaces it, and a reader that takes nothing for too long is disconnected. Used by `LiveFeed`.
 */
import type { ServerResponse } from 'node:http'
import type { AdminCode } from '../../acts/codes.ts'

/** Throws when the operator may not watch any more. */
export type CheckViewer = () => Promise<unknown>

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // nginx would collect events before it passes them on.
  'x-accel-buffering': 'no',
  // The connection ends with the stream, so that a stop of the process need not wait for it.
  connection: 'close',
}
/** How long a browser waits before it connects again. */
const retryMs = 2_000

export class Viewer {
  readonly operator: string
  readonly check: CheckViewer
  /** When `check` last succeeded. */
  checkedAt = performance.now()
  readonly #response: ServerResponse
  #sentAt = performance.now()
  /** Since when an event waits to be taken. */
  #blockedSince: number | undefined

  constructor(response: ServerResponse, operator: string, check: CheckViewer, requestId: string) {
    this.operator = operator
    this.check = check
    this.#response = response
    // A connection that breaks is closed; `close` tells the feed.
    response.on('error', () => undefined)
    response.writeHead(200, { ...headers, 'request-id': requestId })
    response.write(`retry: ${retryMs}\n\n`)
  }

  onClose(listener: () => void): void {
    if (this.#response.destroyed) listener()
    else this.#response.once('close', listener)
  }

  /** False when the reader has taken nothing for `maxBlockedMs`: it is disconnected. */
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

  /** A comment keeps proxies from closing a connection on which nothing is sent. */
  keepAlive(afterMs: number, maxBlockedMs: number): void {
    if (performance.now() - this.#sentAt >= afterMs) this.send(': alive\n\n', maxBlockedMs)
  }

  /** With a last event that says why. */
  end(code: AdminCode | 'stopping', detail: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return
    this.#response.end(formatEvent('end', { code, detail }))
    // What is not taken by then is given up.
    setTimeout(() => this.#response.destroy(), 1_000).unref()
  }
}

export function formatEvent(event: string, data: unknown, id?: string): string {
  // JSON has no line breaks, so one `data` line holds all of it.
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    `event: ${event}`,
    `data: ${JSON.stringify(data)}`,
  ]
  return `${lines.join('\n')}\n\n`
}
