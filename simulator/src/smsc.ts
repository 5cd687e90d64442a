/**
 * Simulates an SMSC: SMPP 3.4 server on one port, control on another. close() leaves no socket or timer
 * behind. Shares no code with the gateway and stores nothing on disk.
 */
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { SmscState } from './smsc/smsc-state.ts'
import { createControl } from './smsc/control.ts'
import { perSecond } from './shared/meter.ts'
import type { Counters } from './smsc/counters.ts'
import type { Duplicate, RecordedSubmission } from './smsc/submission-log.ts'
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

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

function buildStats(state: SmscState): SmscStats {
  const bound = { transmitter: 0, receiver: 0, transceiver: 0 }
  for (const { kind } of state.sessions) if (kind !== undefined) bound[kind]++
  const submitsPerSecond = perSecond(state.meter, Date.now())
  return { ...state.counters, bound, submitsPerSecond, paused: state.paused }
}

export async function startSmsc(options: Partial<SmscOptions> = {}): Promise<Smsc> {
  const settings: SmscOptions = { ...defaults, ...options }
  const state = new SmscState(settings)
  // Includes sockets whose session has ended but whose last output the client has not read.
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    state.sessions.add(new Session(state, socket))
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
    stats: () => buildStats(state),
    submissions: (to, limit = Infinity) => state.record?.list(to, limit) ?? [],
    duplicates: ({ ignoreRef = false } = {}) => state.record?.duplicates(!ignoreRef) ?? [],
    recordDropped: () => state.record?.dropped ?? 0,
    reset: () => state.reset(),
    disconnect: () => state.disconnect(),
    hold: () => state.hold(),
    release: () => state.release(),
    pause: () => state.pause(),
    resume: () => state.resume(),
    async close() {
      const stopped = [closeServer(server), closeServer(control)]
      control.closeAllConnections()
      state.close()
      for (const socket of sockets) socket.destroy()
      await Promise.all(stopped)
    },
  }
  const control = createControl(smsc)
  try {
    ports.port = await listen(server, settings.port, settings.host)
    ports.controlPort = await listen(control, settings.controlPort, '127.0.0.1')
  } catch (error) {
    state.close()
    server.close()
    throw error
  }
  return smsc
}
