/**
 * Reserves ports for processes that a test starts repeatedly on the same port. The UDP port of the same
 * number stays bound until this process exits, so that no other test chooses it while nothing listens on the
 * TCP port. All are below 32768, where the kernel chooses no port for outgoing connections, and outside the
 * range of the service sets (21000 to 29999).
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

const firstPort = 12_000
const range = 8_000

export async function choosePort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * range)
    if ((await reserve(port)) && (await isFree(port))) return port
  }
}

export function choosePorts(count: number): Promise<readonly number[]> {
  return Promise.all(Array.from({ length: count }, choosePort))
}

async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4')
  try {
    const bound = once(socket, 'listening')
    socket.bind({ port, address: '127.0.0.1', exclusive: true })
    await bound
  } catch {
    return false
  }
  socket.unref()
  return true
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    const listening = once(server, 'listening')
    server.listen(port, '127.0.0.1')
    await listening
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
