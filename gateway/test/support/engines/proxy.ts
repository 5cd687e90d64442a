/**
 * A TCP proxy that makes an engine unavailable to one test only: it cuts open connections, refuses new ones,
 * or holds back the engine's responses.
 */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { addCleanup } from '../cleanup.ts'

export interface Proxy {
  /** The engine's URL through the proxy. */
  readonly url: string
  /** Closes every open connection; accepts new ones. */
  cut(): void
  /** Makes the engine unavailable: closes every connection and refuses new ones. */
  block(): void
  unblock(): void
  /** Holds back the engine's responses; requests still arrive. */
  mute(): void
  /** Holds back the responses of the open connections only; new ones work. */
  muteOpen(): void
  unmute(): void
}

export async function createProxy(target: string): Promise<Proxy> {
  const engine = new URL(target)
  const pairs = new Set<{ readonly near: Socket; readonly far: Socket }>()
  let blocked = false
  let muted = false
  const server = createServer((near) => {
    near.on('error', () => undefined)
    if (blocked) {
      near.resetAndDestroy()
      return
    }
    const far = connect(Number(engine.port), engine.hostname)
    const pair = { near, far }
    pairs.add(pair)
    far.on('error', () => near.destroy())
    far.on('close', () => near.destroy())
    near.on('close', () => {
      far.destroy()
      pairs.delete(pair)
    })
    near.pipe(far)
    far.on('data', (chunk) => near.write(chunk))
    if (muted) far.pause()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const cut = (): void => {
    for (const { near, far } of pairs) {
      near.destroy()
      far.destroy()
    }
  }
  addCleanup(async () => {
    cut()
    server.close()
    await once(server, 'close')
  })
  return {
    url: url.href,
    cut,
    block() {
      blocked = true
      cut()
    },
    unblock() {
      blocked = false
    },
    mute() {
      muted = true
      for (const { far } of pairs) far.pause()
    },
    muteOpen() {
      for (const { far } of pairs) far.pause()
    },
    unmute() {
      muted = false
      for (const { far } of pairs) far.resume()
    },
  }
}
