// Serializes changes of a set of services. The lock is an abstract socket, which the kernel frees when its
// holder exits, so there is no stale lock file.

import { createServer } from 'node:net'
import type { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { servicesDirectory, shortHash } from './paths.ts'
import { print } from './print.ts'

const maxWaitMs = 180_000

/** `folder` is the folder that the lock protects. */
export async function locked<T>(work: () => Promise<T>, folder = servicesDirectory()): Promise<T> {
  const lock = await acquire(`\0postern-services-${shortHash(folder)}`)
  try {
    return await work()
  } finally {
    await new Promise((resolve) => lock.close(resolve))
  }
}

async function acquire(path: string): Promise<Server> {
  const since = performance.now()
  for (let announced = false; ;) {
    const server = await listen(path)
    if (server) return server
    const waited = performance.now() - since
    if (waited > maxWaitMs)
      throw new Error('another engines command has been running for three minutes; wait for it or end it')
    if (waited > 1000 && !announced) {
      print('waiting for another engines command to finish …')
      announced = true
    }
    await pause(100)
  }
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen({ path }, () => resolve(server))
  })
}
