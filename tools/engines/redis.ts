// Redis without persistence: Postern keeps nothing there that it needs after a loss.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from './engine.ts'
import { host } from './ports.ts'
import { probePort, runProbe } from './probe.ts'
import { launch } from './process.ts'
import { programs } from './programs.ts'
import type { ServiceSet } from './service-set.ts'

export function redisEngine({ paths, ports }: ServiceSet): Engine {
  const folder = join(paths.directory, 'redis')
  const log = join(paths.log, 'redis.log')
  const pidFile = join(paths.run, 'redis.json')
  const port = ports.redis
  return {
    name: 'redis',
    port,
    pidFile,
    logs: [log],
    stopSignal: 'SIGTERM',
    startWithinMs: 10_000,
    prepare: async () => {
      mkdirSync(folder, { recursive: true })
      return Promise.resolve()
    },
    launch: () =>
      launch({
        command: programs().redis,
        args: [
          ...['--bind', host, '--port', String(port), '--dir', folder],
          ...['--save', '', '--appendonly', 'no', '--daemonize', 'no'],
          ...['--maxmemory', '2gb', '--maxmemory-policy', 'noeviction'],
        ],
        env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
        cwd: folder,
        log,
        pidFile,
      }),
    isReady: () => probePort(port, 'PING\r\n', '+PONG'),
    complete: () => Promise.resolve(),
    version: async () => {
      const { output } = await runProbe({ command: programs().redis, args: ['--version'] })
      return /v=(\S+)/.exec(output)?.[1] ?? 'unknown'
    },
  }
}
