/**
 * A simulated SMSC: SMPP 3.4 server on one port, its control on another. Promises that close() leaves no socket
 * and no timer behind. It is a peer for testing: it shares no code with what it tests, and keeps nothing on disk.
 */
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { Centre } from './smsc/centre.ts'
import { createControl } from './smsc/control.ts'
import { perSecond } from './smsc/counters.ts'
import type { Counters } from './smsc/counters.ts'
import type { Duplicate, RecordedSubmission } from './smsc/record.ts'
import type { Smsc, SmscStats } from './smsc/running-smsc.ts'
import { Session } from './smsc/session.ts'
import { defaults } from './smsc/settings.ts'
import type { SmscOptions } from './smsc/settings.ts'

export type { Counters, Duplicate, RecordedSubmission, Smsc, SmscOptions, SmscStats }

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

function statsOf(centre: Centre): SmscStats {
  const bound = { transmitter: 0, receiver: 0, transceiver: 0 }
  for (const { kind } of centre.sessions) if (kind !== undefined) bound[kind]++
  const submitsPerSecond = perSecond(centre.meter, Date.now())
  return { ...centre.counters, bound, submitsPerSecond, paused: centre.paused }
}

export async function startSmsc(options: Partial<SmscOptions> = {}): Promise<Smsc> {
  const settings: SmscOptions = { ...defaults, ...options }
  const centre = new Centre(settings)
  // Also those whose session has ended but whose last octets the client has not read.
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    centre.sessions.add(new Session(centre, socket))
  })
  const ports = { port: 0, controlPort: 0 }
  const smsc: Smsc = {
    get port() {
      return ports.port
    },
    get controlPort() {
      return ports.controlPort
    },
    recording: settings.record,
    stats: () => statsOf(centre),
    submissions: (to, limit = Infinity) => centre.record?.list(to, limit) ?? [],
    duplicates: ({ ignoreRef = false } = {}) => centre.record?.duplicates(!ignoreRef) ?? [],
    recordDropped: () => centre.record?.dropped ?? 0,
    reset: () => centre.reset(),
    disconnect: () => centre.disconnect(),
    pause: () => centre.pause(),
    resume: () => centre.resume(),
    async close() {
      const stopped = [closed(server), closed(control)]
      control.closeAllConnections()
      centre.close()
      for (const socket of sockets) socket.destroy()
      await Promise.all(stopped)
    },
  }
  const control = createControl(smsc)
  try {
    ports.port = await listen(server, settings.port, settings.host)
    ports.controlPort = await listen(control, settings.controlPort, '127.0.0.1')
  } catch (error) {
    centre.close()
    server.close()
    throw error
  }
  return smsc
}
