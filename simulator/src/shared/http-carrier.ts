/**
 * Runs an HTTP carrier: its server, a control server on loopback, pause, reset and a graceful stop. Each
 * carrier provides its request handler.
 */
import type { CarrierState } from './carrier-state.ts'
import { controlHandler } from './control.ts'
import type { ControlHandlers } from './control.ts'
import { HttpServer } from './http-server.ts'
import type { HttpHandler } from './http-server.ts'
import type { HttpCarrierOptions } from './http-options.ts'
import type { LogEntry } from './received-log.ts'
import type { HttpCarrier } from './running-carrier.ts'

const MAX_CONTROL_BODY = 65_536

export interface CarrierParts<Entry extends LogEntry> {
  readonly options: HttpCarrierOptions
  readonly state: CarrierState<Entry>
  readonly handler: HttpHandler
  readonly control?: ControlHandlers
  /** Clears the carrier's own state. */
  readonly onReset?: () => void
  readonly onClose?: () => void
}

export async function startHttpCarrier<Entry extends LogEntry>(
  parts: CarrierParts<Entry>,
): Promise<HttpCarrier<Entry>> {
  const { options, state, handler } = parts
  const { host, port, maxBodyBytes } = options
  const server = new HttpServer({ host, port, maxBodyBytes, handler })
  const carrier: HttpCarrier<Entry> = {
    get port() {
      return server.port
    },
    get controlPort() {
      return control.port
    },
    stats: () => ({
      ...state.counters,
      ...state.receipts.counters,
      ...server.counters,
      submitsPerSecond: state.submitsPerSecond(),
      paused: server.paused,
    }),
    submissions: (to, limit) => state.log.list(to, limit),
    duplicates: () => state.log.duplicates(),
    reset: () => {
      state.reset()
      server.resetCounters()
      parts.onReset?.()
    },
    disconnect: () => server.disconnect(),
    pause: () => {
      server.pause()
      state.receipts.pause()
    },
    resume: () => {
      server.resume()
      state.receipts.resume()
    },
    async close() {
      await Promise.all([server.close(), control.close()])
      parts.onClose?.()
      state.receipts.close()
      state.timers.clear()
    },
  }
  const control = new HttpServer({
    host: '127.0.0.1',
    port: options.controlPort,
    maxBodyBytes: MAX_CONTROL_BODY,
    handler: controlHandler(carrier, () => state.log.dropped, parts.control ?? {}),
  })
  await server.listen()
  try {
    await control.listen()
  } catch (error) {
    await server.close()
    throw error
  }
  return carrier
}
