/**
 * Ports for processes that must use the same port again after a restart. All are below 32768, where the kernel chooses no
 * port for outgoing connections, and outside of the range of the service sets (21000 to 29999).
 */
import { once } from 'node:events'
import { createServer } from 'node:net'

const first = 12_000
const count = 8_000
const given = new Set<number>()

export async function choosePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
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
